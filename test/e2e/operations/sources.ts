import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { writeZip } from "../../../functions/engines/archives/zip/writer.ts";
import { invoiceXml } from "../../engines/support/documents/invoice.ts";
import { fixture } from "../../engines/support/fixtures.ts";

/** The files that operations read, in a folder. */

const FIXTURES = ["sample.pdf", "sample.docx", "sample.jpg", "sample.mp4", "sample.srt", "sample.wav", "alpha.png"];

export const writeSources = async (folder: string): Promise<void> => {
  const at = (name: string): string => join(folder, name);
  for (const name of FIXTURES) {
    copyFileSync(fixture(name), at(name));
  }
  copyFileSync(fixture("styled.mkv"), at("subtitled.mkv"));
  writeFileSync(at("note.txt"), "A note.\n");
  writeFileSync(at("one.csv"), "name,size\na,1\n");
  writeFileSync(at("two.csv"), "name,size\nb,2\n");
  writeFileSync(at("invoice.xml"), invoiceXml("urn:factur-x.eu:1p0:minimum"));
  writeFileSync(at("page.html"), "<!doctype html><title>T</title><h1>Heading</h1><p>Text</p>");
  execFileSync("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:duration=6", at("tone.wav")]);
  await writePictures(at);
  await writePapers(at);
  writeFileSync(at("index.html"), '<!doctype html><link rel="stylesheet" href="a.css"><h1>Site</h1>');
  writeFileSync(at("a.css"), "h1 { color: rgb(255, 0, 0) }");
  await writeZip(
    at("site.zip"),
    ["index.html", "a.css"].map((path) => ({ path, file: at(path) })),
  );
};

type At = (name: string) => string;

const SIDE = 600;

/** Two areas of color, noise, nothing at all, and a photo with a location. */
const writePictures = async (at: At): Promise<void> => {
  const blue = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#0000ff" } })
    .png()
    .toBuffer();
  await sharp({ create: { width: 400, height: 200, channels: 3, background: "#ff0000" } })
    .composite([{ input: blue, left: 200, top: 0 }])
    .png()
    .toFile(at("areas.png"));
  const noise = { type: "gaussian" as const, mean: 128, sigma: 30 };
  const noisy = sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: "#808080", noise } });
  await noisy.clone().png().toFile(at("noise.png"));
  await noisy.clone().jpeg({ quality: 95 }).toFile(at("noise.jpg"));
  await sharp({ create: { width: 10, height: 10, channels: 4, background: "#00000000" } })
    .png()
    .toFile(at("clear.png"));
  await noisy
    .clone()
    .withExif({ IFD0: { Artist: "Ada" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "1/1 2/1 3/1" } })
    .jpeg()
    .toFile(at("located.jpg"));
};

/** Three pages, a form, a scan, a stamp, and the same pages encrypted and with a wrong position of their table. */
const writePapers = async (at: At): Promise<void> => {
  await writePages(at("pages.pdf"), ["Page one", "Page two", "Page three"]);
  await writePages(at("stamp.pdf"), ["STAMPED"]);
  execFileSync("qpdf", ["--encrypt", "open", "own", "256", "--", at("pages.pdf"), at("locked.pdf")]);
  const pages = readFileSync(at("pages.pdf"), "latin1");
  writeFileSync(at("broken.pdf"), pages.replace(/startxref\s+\d+/, "startxref\n1"), "latin1");
  const form = await PDFDocument.create();
  const name = form.getForm().createTextField("name");
  name.addToPage(form.addPage([300, 200]), { x: 20, y: 100, width: 200, height: 30 });
  writeFileSync(at("form.pdf"), await form.save());
  const scan = await PDFDocument.create();
  const image = await scan.embedJpg(readFileSync(at("noise.jpg")));
  scan.addPage([100, 100]).drawImage(image, { x: 0, y: 0, width: 100, height: 100 });
  writeFileSync(at("scan.pdf"), await scan.save());
};

const writePages = async (path: string, lines: readonly string[]): Promise<void> => {
  const paper = await PDFDocument.create();
  const font = await paper.embedFont(StandardFonts.Helvetica);
  for (const line of lines) {
    paper.addPage([300, 400]).drawText(line, { x: 60, y: 200, size: 20, font });
  }
  writeFileSync(path, await paper.save({ useObjectStreams: false }));
};
