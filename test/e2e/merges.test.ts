import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FormatListView } from "../../functions/domain/formats/format-views.ts";
import { viewPdf } from "../engines/support/documents/pdf.ts";
import { typeset } from "../engines/support/documents/typeset.ts";
import { tarHolds, zipBytes, zipHolds } from "../engines/support/entries.ts";
import { fixture, sampleOf } from "../engines/support/fixtures.ts";
import { scratchFolder } from "../engines/support/scratch.ts";
import { type ApiClient, apiClient, type UploadFile } from "../support/services/client.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";

/** Merging and splitting files through the API of a service on one machine. */

const scratch = scratchFolder();
let service: LocalService;
let client: ApiClient;
beforeAll(async () => {
  service = await startLocalService();
  client = await apiClient(service.url, (await readFile(join(service.dataDir, "api-key"), "utf8")).trim());
});
afterAll(async () => {
  await service.stop();
  await service.erase();
});

/** Uploads files and merges them. @returns the job, and the path of the result */
const merge = async (files: readonly UploadFile[], target_format: string, options: object = {}) => {
  const upload_ids: string[] = [];
  for (const file of files) {
    const { body } = await client.upload(file);
    upload_ids.push(body.upload_id);
  }
  const { body: job } = await client.convert({ upload_ids, target_format, options }, { prefer: "wait=25" });
  expect(job.status, JSON.stringify(job)).toBe("completed");
  const { bytes } = await client.download(job.result?.download_token ?? "");
  return { job, path: scratch.file(bytes), bytes };
};

const paper = (text: string): UploadFile => ({ name: `${text}.pdf`, bytes: typeset(`= ${text}`) });
const textsOf = async (path: string) => (await viewPdf(path)).map(({ text }) => text.trim());

describe("merging files", () => {
  test("merges PDFs in order", async () => {
    const { job, path } = await merge([paper("third"), paper("first"), paper("second")], "pdf");
    expect(await textsOf(path)).toEqual(["third", "first", "second"]);
    expect(job.result).toMatchObject({ filename: "third.pdf", media_type: "application/pdf" });
  });

  test("merges images of several formats and a PDF into one PDF", async () => {
    const { path } = await merge([sampleOf("jpg"), sampleOf("heic"), paper("paper"), sampleOf("png")], "pdf");
    expect((await textsOf(path)).map((text) => text !== "")).toEqual([false, false, true, false]);
  });

  test("merges images into an animation", async () => {
    const { job, bytes } = await merge([sampleOf("jpg"), fixture("alpha.png"), sampleOf("webp")], "gif", { delay: 80 });
    expect(job.steps).toMatchObject([{ engine: "sharp", from: "jpg", to: "gif" }]);
    expect(await sharp(bytes, { pages: -1 }).metadata()).toMatchObject({ pages: 3, delay: [80, 80, 80], loop: 0 });
  });

  test("merges images into the pages of a TIFF", async () => {
    const { bytes } = await merge([sampleOf("jpg"), fixture("alpha.png")], "tiff");
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "tiff", pages: 2 });
  });

  test("packs files of any format with their names", async () => {
    const note = { name: "Notiz – ä.txt", bytes: Buffer.from("as it was") };
    const files = [note, { ...note, bytes: Buffer.from("the second") }, sampleOf("docx")];
    const { job, path } = await merge(files, "zip");
    expect(job).toMatchObject({ fidelity: "lossless", result: { filename: "Notiz – ä.zip" } });
    const held = await zipHolds(path);
    expect(Object.keys(held)).toEqual(["Notiz – ä.txt", "Notiz – ä (2).txt", "sample.docx"]);
    expect([held["Notiz – ä.txt"], held["Notiz – ä (2).txt"]]).toEqual(["as it was", "the second"]);
    expect(await tarHolds((await merge([note], "tar")).path)).toEqual({ "Notiz – ä.txt": "file: as it was" });
  });

  test("rejects a file that cannot be merged, with a helpful error", async () => {
    const ids = [await client.upload(sampleOf("jpg")), await client.upload(sampleOf("mp3"))];
    const upload_ids = ids.map(({ body }) => body.upload_id);
    const { status, body } = await client.convert({ upload_ids, target_format: "pdf" });
    expect([status, body.code]).toEqual([422, "unsupported_conversion"]);
    expect(body.detail).toMatch(/^mp3 files cannot be merged into PDF, also not converted first\. It takes: jpg/);
  });

  test("lists the pairs that merge", async () => {
    const { body } = await client.call<FormatListView>("/api/v1/formats?source=png&conversions=true");
    const merged = body.conversions?.filter(({ merges }) => merges).map(({ target }) => target);
    expect(merged?.toSorted()).toEqual(["apng", "gif", "jpg", "json", "pdf", "png", "tiff", "webp"]);
  });
});

describe("splitting a file", () => {
  const split = async (file: UploadFile, target: string, options: object) => {
    const { job, bytes } = await client.turn(file, target, options);
    expect(job.result?.media_type).toBe("application/zip");
    return Object.entries(await zipHolds(scratch.file(bytes)));
  };

  test("extracts the pages of a PDF", async () => {
    const bytes = typeset("one\n#pagebreak()\ntwo\n#pagebreak()\nthree");
    const pages = await split({ name: "book.pdf", bytes }, "pdf", { split: true });
    expect(pages.map(([name]) => name)).toEqual(["page-1.pdf", "page-2.pdf", "page-3.pdf"]);
    expect(pages.every(([, text]) => text?.startsWith("%PDF"))).toBe(true);
  });

  test("extracts the frames of an animation", async () => {
    const { job, bytes } = await client.turn(fixture("animated.gif"), "png", { split: true, width: 12 });
    expect(job.warnings).toEqual([]);
    const zip = scratch.file(bytes);
    const frames = ["frame-1.png", "frame-2.png", "frame-3.png"];
    const files = await zipBytes(zip);
    expect(Object.keys(files)).toEqual(frames);
    const seen = await Promise.all(frames.map((name) => sharp(files[name]).toBuffer()));
    expect(new Set(seen.map((frame) => frame.toString("hex"))).size).toBe(3);
    expect(await sharp(seen[2]).metadata()).toMatchObject({ format: "png", width: 12 });
  });

  test("extracts the sheets of a workbook", async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([["a", 1]]), "North");
    utils.book_append_sheet(book, utils.aoa_to_sheet([["b", 2]]), "South");
    const bytes: Buffer = write(book, { type: "buffer", bookType: "xlsx" });
    const sheets = await split({ name: "book.xlsx", bytes }, "csv", {});
    expect(sheets.map(([name, text]) => [name, text?.trim()])).toEqual([
      ["North.csv", "a,1"],
      ["South.csv", "b,2"],
    ]);
  });
});
