import { createWriteStream, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { DOCUMENT_PAGES_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { repeated, withMembers } from "../support/attacks/attack.ts";
import { XPS_TEXT } from "../support/documents/office.ts";
import { viewPdf } from "../support/documents/pdf.ts";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_COLORS, PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("xps", scratch);

const expectSample = async (input: string): Promise<void> => {
  const { path } = await convert(input, ["xps", "pdf"]);
  const [page, ...others] = await viewPdf(path, { width: PICTURE_WIDTH, height: PICTURE_HEIGHT * 2 });
  expect(others).toEqual([]);
  expect([page?.width, page?.height]).toEqual([72, 96]);
  expect(page?.text).toContain(XPS_TEXT);
  for (const [index, color] of PICTURE_COLORS.entries()) {
    const [x, y] = [index % 2 === 0 ? 10 : 80, index < 2 ? 10 : 50];
    const at = (y * PICTURE_WIDTH + x) * 3;
    expect([...(page?.pixels.subarray(at, at + 3) ?? [])]).toEqual([...color]);
  }
};

describe.skipIf(!isInstalled("xps"))("XPS", () => {
  test("becomes a PDF with its text and drawings", () => expectSample(sampleOf("xps")));

  test("is read when it was written as a stream", async () => {
    const path = scratch.path("streamed.xps");
    const zip = new ZipFile();
    await readZip(sampleOf("xps"), async ({ paths, read }) => {
      for (const name of paths) {
        zip.addReadStream(Readable.from([await read(name)]), name);
      }
    });
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path));
    await expectSample(path);
  });

  test("is refused when it is truncated, or no XPS", async () => {
    const bytes = readFileSync(sampleOf("xps"));
    for (const content of [bytes.subarray(0, bytes.length / 2), readFileSync(sampleOf("docx"))]) {
      await expect(convert(scratch.file(content), ["xps", "pdf"])).rejects.toMatchObject({ code: "source_corrupt" });
    }
  });

  test("is refused with more pages than the limit", async () => {
    const pages = Array.from({ length: DOCUMENT_PAGES_MAX }, (_, index) => ({
      name: `Documents/1/Pages/${index + 2}.fpage`,
      bytes: "<FixedPage/>",
    }));
    await expect(convert(scratch.file(await withMembers("xps", pages)), ["xps", "pdf"])).rejects.toMatchObject({
      code: "too_many_pages",
    });
  });

  test("reads no other files and survives deep nesting", async () => {
    const page = (body: string) => ({
      name: "Documents/1/Pages/1.fpage",
      bytes: `<FixedPage xmlns="http://schemas.microsoft.com/xps/2005/06" xml:lang="en" Width="96" Height="96">${body}</FixedPage>`,
    });
    const secret = scratch.file("a secret word");
    const image = `<Path Data="M 0,0 h 96 v 96 h -96 Z"><Path.Fill><ImageBrush ImageSource="../../../../../../../..${secret}" Viewbox="0,0,9,9" Viewport="0,0,9,9" ViewboxUnits="Absolute" ViewportUnits="Absolute"/></Path.Fill></Path>`;
    for (const body of [image, `${repeated(() => "<Canvas>", 5_000)}${repeated(() => "</Canvas>", 5_000)}`]) {
      const made = await convert(scratch.file(await withMembers("xps", [page(body)])), ["xps", "pdf"]).then(
        ({ path }) => readFileSync(path, "latin1"),
        ({ code }: { code?: string }) => code ?? "",
      );
      expect(made).toMatch(/^%PDF-|^(?:source_corrupt|engine_crashed)$/);
      expect(made).not.toContain("a secret word");
    }
  });
});
