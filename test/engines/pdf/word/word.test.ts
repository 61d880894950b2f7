import { execFileSync } from "node:child_process";
import { degrees, PDFDocument, PDFName, type PDFRawStream, rgb } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { typeset } from "../../support/documents/typeset.ts";
import { viewWord } from "../../support/documents/word.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { convertingBy, isInstalled } from "../../support/task.ts";
import { PYTHON, withPython } from "../../support/tools.ts";

/** Word documents from PDFs, opened by LibreOffice and python-docx. */

const scratch = scratchFolder();
const convert = convertingBy("pdfium", scratch);
const render = convertingBy("soffice", scratch);

const wordOf = async (bytes: Uint8Array, layout: "flow" | "exact" | "text" = "flow") => {
  const { path, codes } = await convert(scratch.file(bytes), ["pdf", "docx"], { layout });
  const view = await viewWord(path);
  expect(view.faults).toEqual([]);
  return { ...view, path, codes };
};

/** @returns the text of each page as LibreOffice shows the document */
const shown = async (path: string): Promise<string[]> => {
  const { path: pdf } = await render(path, ["docx", "pdf"]);
  const text = execFileSync("pdftotext", ["-layout", pdf, "-"], { encoding: "utf8" });
  return text.split("\f").slice(0, -1);
};

const SENTENCE = "The quick brown fox jumps over the lazy dog near the harbor while extraordinary sailors watch. ";
const REPORT = `
#set page(paper: "us-letter", margin: 1in, header: [Harbor report], footer: context align(center, counter(page).display()))
#set par(justify: true)
#set text(lang: "en", hyphenate: true)
= Harbor report
${SENTENCE.repeat(12)}

#table(columns: (1fr, 1fr), [*Port*], [*Depth*], [Ålesund], [12], [Cuxhaven], [9])

== Columns
#columns(2)[${SENTENCE.repeat(18)}]
#pagebreak()
== Second page
${SENTENCE.repeat(20)}
`;

const DEADLINE = { timeout: 120_000 };

describe.skipIf(!isInstalled("soffice"))("in LibreOffice", () => {
  test("flow has the pages, running lines and text of the source", DEADLINE, async () => {
    const { path, codes } = await wordOf(typeset(REPORT));
    const pages = await shown(path);
    expect(codes).toEqual([]);
    expect(pages).toHaveLength(2);
    expect(pages[0]).toMatch(/Harbor report[\s\S]*Cuxhaven\s+9[\s\S]*Columns/);
    expect(pages[1]).toMatch(/^\s*Harbor report\s+Second page/);
    expect(pages.map((page) => page.trimEnd().at(-1))).toEqual(["1", "2"]);
  });

  test("exact has each line at its position on the page", DEADLINE, async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 300]);
    page.drawRectangle({ x: 0, y: 0, width: 100, height: 300, color: rgb(0, 0.4, 0.8) });
    page.drawText("Upper", { x: 150, y: 250, size: 20 });
    page.drawText("Lower line", { x: 220, y: 60, size: 12 });
    document.addPage([300, 400]).drawText("Next", { x: 50, y: 350, size: 12 });
    const { path } = await wordOf(await document.save(), "exact");
    const { path: pdf } = await render(path, ["docx", "pdf"]);
    const boxes = execFileSync("pdftotext", ["-bbox", pdf, "-"], { encoding: "utf8" });
    expect(boxes.match(/<page /g)).toHaveLength(2);
    const at = (word: string) =>
      new RegExp(`xMin="([\\d.]+)" yMin="([\\d.]+)".*>${word}<`).exec(boxes)?.slice(1).map(Number);
    for (const [word, x, y] of [
      ["Upper", 150, 300 - 250 - 20],
      ["Lower", 220, 300 - 60 - 12],
      ["Next", 50, 400 - 350 - 12],
    ] as const) {
      const [left = 0, top = 0] = at(word) ?? [];
      expect(Math.abs(left - x)).toBeLessThan(3);
      expect(Math.abs(top - y)).toBeLessThan(8);
    }
    const { dominant } = await sharp(
      execFileSync("pdftoppm", [
        "-png",
        "-r",
        "36",
        "-x",
        "0",
        "-y",
        "0",
        "-W",
        "40",
        "-H",
        "100",
        "-f",
        "1",
        "-l",
        "1",
        pdf,
      ]),
    ).stats();
    expect(dominant.b).toBeGreaterThan(dominant.r);
  });
});

test("text has headings, lists and tables in default styles, and says what is left out", async () => {
  const source = `${REPORT}\n- One\n- Two\n\n#link("https://example.org/")[*bold*]`;
  const { path, body, parts, codes } = await wordOf(typeset(source), "text");
  expect(body).toContain('<w:pStyle w:val="Heading1"/>');
  expect(body).toContain('<w:tblStyle w:val="TableGrid"/>');
  expect(body).not.toMatch(/<w:sz |<w:jc |<w:color |w:pageBreakBefore|softHyphen/);
  expect(parts.get("word/styles.xml")).toContain('w:ascii="Calibri"');
  expect([...parts.keys()].some((name) => /header|footer/.test(name))).toBe(false);
  expect(codes).toEqual(["running_lines_dropped"]);
  if (withPython("docx")) {
    const script =
      "import docx, json, sys; d = docx.Document(sys.argv[1]); print(json.dumps([[c.text for c in r.cells] for r in d.tables[0].rows]))";
    const rows = JSON.parse(execFileSync(PYTHON, ["-c", script, path], { encoding: "utf8" }));
    expect(rows).toEqual([
      ["Port", "Depth"],
      ["Ålesund", "12"],
      ["Cuxhaven", "9"],
    ]);
  }
});

test("keeps text that reads sideways in text boxes", async () => {
  const { body } = await wordOf(
    typeset("Upright text in a line.\n\n#place(bottom + right, rotate(-90deg, reflow: true)[Sideways])"),
  );
  expect(body).toMatch(/<w:txbxContent>.*Sideways.*<\/w:txbxContent>/);
  expect(body).toContain('vert="vert270"');
});

test("keeps JPEG files byte for byte", async () => {
  const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#369" } })
    .jpeg()
    .toBuffer();
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  page.drawText("Picture:", { x: 20, y: 250, size: 12 });
  page.drawImage(await document.embedJpg(jpeg), { x: 20, y: 100, width: 120, height: 80 });
  const { parts } = await wordOf(await document.save());
  expect(Buffer.from(parts.get("word/media/picture1.jpg") ?? "", "latin1").equals(jpeg)).toBe(true);
});

test("keeps the transparency of a JPEG with a mask", async () => {
  const create = { width: 60, height: 40, channels: 3, background: "#369" } as const;
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  page.drawText("Picture:", { x: 20, y: 250, size: 12 });
  const image = await document.embedJpg(await sharp({ create }).jpeg().toBuffer());
  page.drawImage(image, { x: 20, y: 100, width: 120, height: 80 });
  await image.embed();
  const half = Uint8Array.from({ length: 60 * 40 }, (_, index) => (index % 60 < 30 ? 0 : 255));
  const dictionary = { Type: "XObject", Subtype: "Image", Width: 60, Height: 40, ColorSpace: "DeviceGray" };
  const mask = document.context.stream(half, { ...dictionary, BitsPerComponent: 8 });
  const stream = document.context.lookup(image.ref);
  (stream as PDFRawStream).dict.set(PDFName.of("SMask"), document.context.register(mask));
  const { parts } = await wordOf(await document.save());
  const made = sharp(Buffer.from(parts.get("word/media/picture1.png") ?? "", "latin1"));
  const { data, info } = await made.raw().toBuffer({ resolveWithObject: true });
  const alphaAt = (x: number) => data[(Math.floor(info.height / 2) * info.width + x) * info.channels + 3];
  expect([info.channels, alphaAt(5), alphaAt(info.width - 6)]).toEqual([4, 0, 255]);
});

test("draws a page that has neither text nor pictures, but not a blank one", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  for (let at = 30; at < 300; at += 30) {
    page.drawLine({ start: { x: at, y: 20 }, end: { x: at, y: 280 } });
    page.drawLine({ start: { x: 20, y: at }, end: { x: 280, y: at } });
  }
  expect([...(await wordOf(await document.save())).parts.keys()]).toContain("word/media/picture1.png");
  const blank = await PDFDocument.create();
  blank.addPage([300, 300]).drawRectangle({ x: 0, y: 0, width: 300, height: 300, color: rgb(1, 1, 1) });
  expect([...(await wordOf(await blank.save())).parts.keys()].filter((name) => name.includes("media"))).toEqual([]);
});

test("writes pages without text, and rotated pages as they are displayed", async () => {
  const document = await PDFDocument.create();
  document.addPage([200, 300]);
  document.addPage([200, 300]).drawText("Words", { x: 50, y: 150, size: 12 });
  document.getPage(1).setRotation(degrees(90));
  const { body } = await wordOf(await document.save());
  expect(body.match(/<w:pgSz w:w="\d+" w:h="\d+"/g)).toEqual([
    '<w:pgSz w:w="4000" w:h="6000"',
    '<w:pgSz w:w="6000" w:h="4000"',
  ]);
  expect(body).toMatch(/<w:txbxContent>.*Words.*vert="vert"/);
});
