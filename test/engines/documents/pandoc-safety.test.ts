import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pandocConversions } from "../../../functions/domain/conversions/by-engine/documents/pandoc.ts";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { writeZip } from "../../../functions/engines/archives/zip/writer.ts";
import { markupAttacks } from "../support/attacks/markup.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** Untrusted markup that references files and network addresses: no file is read and no request is made. */

const scratch = scratchFolder();
const convert = convertingBy("pandoc", scratch);
const SECRET = "Kleinodienschrank";

const heard: string[] = [];
const server = createServer((request, response) => {
  heard.push(String(request.url));
  response.end(SECRET);
});
server.on("connection", () => heard.push("connection"));
let place = "";
let file = "";
let picture = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mkdirSync(scratch.path("outside"));
  file = scratch.path("outside/secret.txt");
  // Valid as LaTeX, HTML, CSV and reStructuredText at once, so that any format that includes it shows it.
  writeFileSync(file, `${SECRET}\n`);
  writeFileSync(`${file}.tex`, `${SECRET}\n`);
  picture = scratch.path("outside/secret.png");
  // A picture that contains the secret, so that its bytes can be found in results.
  writeFileSync(picture, Buffer.concat([readFileSync(sampleOf("gif")), Buffer.from(SECRET)]));
});
afterAll(() => server.close());

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const drawing = (attribute: string): string =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="9525" cy="9525"/><wp:docPr id="1" name="x"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="1" name="x"/></pic:nvPicPr><pic:blipFill><a:blip ${attribute}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** @returns the path of a Word document with external pictures only */
const wordFile = async (): Promise<string> => {
  const path = scratch.fresh();
  const relations = [place, `file://${picture}`, picture, `../../../../../../../..${picture}`].map(
    (target, index) =>
      `<Relationship Id="r${index}" Type="${RELATIONS}/image" Target="${target}"${index < 2 ? ' TargetMode="External"' : ""}/>`,
  );
  await writeZip(path, [
    {
      path: "[Content_Types].xml",
      bytes: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      path: "_rels/.rels",
      bytes: `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      path: "word/_rels/document.xml.rels",
      bytes: `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join("")}</Relationships>`,
    },
    {
      path: "word/document.xml",
      bytes: `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${RELATIONS}"><w:body>${["r0", "r1", "r2", "r3"].flatMap((id) => [drawing(`r:link="${id}"`), drawing(`r:embed="${id}"`)]).join("")}<w:p><w:r><w:t>Words that stay.</w:t></w:r></w:p></w:body></w:document>`,
    },
  ]);
  return path;
};

/** @returns the path of an OpenDocument text with external pictures and an external section */
const openFile = async (): Promise<string> => {
  const path = scratch.fresh();
  const frames = [`${place}/picture.png`, `file://${picture}`, picture, `../../../../../../../..${picture}`].map(
    (target) => `<text:p><draw:frame><draw:image xlink:href="${target}"/></draw:frame></text:p>`,
  );
  const section = `<text:section text:name="s"><text:section-source xlink:href="file://${file}"/></text:section>`;
  await readZip(sampleOf("odt"), async (zip) => {
    const members = await Promise.all(
      zip.paths.map(async (each) => ({ path: each, bytes: (await zip.read(each)) ?? Buffer.alloc(0) })),
    );
    await writeZip(
      path,
      members.map(({ path: name, bytes }) => ({
        path: name,
        bytes:
          name === "content.xml"
            ? bytes
                .toString("utf8")
                .replace(
                  "</office:text>",
                  `${frames.join("")}${section}<text:p>Words that stay.</text:p></office:text>`,
                )
            : bytes,
      })),
    );
  });
  return path;
};

const input = async (from: FormatId): Promise<string> =>
  from === "docx"
    ? wordFile()
    : from === "odt"
      ? openFile()
      : scratch.file(markupAttacks({ file, picture, place })[from] ?? "");

/** @returns the entire content of a result; for a zip, its members */
const contentOf = async (path: string, to: FormatId): Promise<Buffer> =>
  formatOf(to).members === undefined
    ? readFileSync(path)
    : readZip(path, async (zip) => {
        const members = await Promise.all(zip.paths.map((each) => zip.read(each)));
        return Buffer.concat(members.map((bytes) => bytes ?? Buffer.alloc(0)));
      });

const pairs = pandocConversions
  .flatMap(({ from, to }) => from.map((each) => ({ from: each, to })))
  .toSorted((one, other) => one.from.localeCompare(other.from));

describe.skipIf(!isInstalled("pandoc"))("a reference in a text", () => {
  test.each(pairs)("is neither read nor requested: $from → $to", async ({ from, to }) => {
    const made = await convert(await input(from), [from, to]);
    const content = await contentOf(made.path, to);
    expect(content.includes(SECRET)).toBe(false);
    expect(content.includes(Buffer.from(SECRET).toString("hex"))).toBe(false);
    // Base64 restarts every three bytes.
    expect(content.includes(readFileSync(picture).subarray(60, 120).toString("base64"))).toBe(false);
    expect(content.includes("Words")).toBe(true);
    expect(heard).toEqual([]);
  });
});
