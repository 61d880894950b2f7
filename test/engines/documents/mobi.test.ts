import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { kindleBook, mobipocketBook, type SampleBook } from "../../fixtures/books.ts";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("mobi", scratch);

const picture = readFileSync(fixture("sample.png"));
const BODY = `<h1>Überfahrt</h1><p>café 李 שלום</p>${"<p>All hands on deck, all hands below.</p>".repeat(300)}`;

const kinds = [
  ["mobi", mobipocketBook],
  ["azw3", kindleBook],
] as const;

test.each([
  ["sample.html", "html"],
  ["sample.md", "md"],
  ["sample.txt", "txt"],
  ["sample.docx", "docx"],
  ["sample.epub", "epub"],
  ["sample.mobi", "mobi"],
  ["sample.azw3", "azw3"],
  ["sample.fb2", "fb2"],
])("%s is detected as %s", (name, format) => {
  expect(detectFormat(readFileSync(fixture(name)), { filename: name })).toBe(format);
});

test("a Kindle book without a file name is detected as Mobipocket, and read as a Kindle book", async () => {
  expect(detectFormat(readFileSync(fixture("sample.azw3")))).toBe("mobi");
  const { path } = await convert(fixture("sample.azw3"), ["mobi", "html"]);
  expect(viewHtml(readFileSync(path, "utf8")).headings[0]).toEqual(["h1", "Harbour report"]);
});

describe.each(kinds)("%s", (from, write) => {
  const sample = (changes: Partial<SampleBook> = {}): Buffer =>
    write({ title: "Log", body: BODY, picture, ...changes });
  const html = async (bytes: Buffer) => {
    const { path, codes } = await convert(scratch.file(bytes), [from, "html"]);
    const text = readFileSync(path, "utf8");
    return { text, codes, view: viewHtml(text) };
  };

  test.each(["plain", "palm", "huffman"] as const)("has the same text with %s compression", async (packing) => {
    const { view } = await html(sample({ packing }));
    expect(view.title).toBe("Log");
    expect(view.lang).toBe("en");
    expect(view.headings[0]).toEqual(["h1", "Überfahrt"]);
    expect(view.text).toContain("café 李 שלום");
    expect(view.text.match(/All hands on deck, all hands below\./g)).toHaveLength(300);
  });

  test("has working links", async () => {
    const { text, view } = await html(sample());
    const place = view.links[0]?.slice(1);
    expect(text).toMatch(new RegExp(`<a id="${place}"></a><h1>Überfahrt`));
  });

  test("runs nothing and loads nothing", async () => {
    const { view } = await html(sample({ body: "<p onclick=x>a<img src=http://127.0.0.1:1/a><script>1</script></p>" }));
    expect(view.unsafe).toEqual([]);
  });

  test("reports DRM", async () => {
    const input = scratch.file(sample({ encryption: 2 }));
    await expect(convert(input, [from, "html"])).rejects.toThrow(/DRM/);
    expect(await codeOf(convert(input, [from, "html"]))).toBe("unsupported_feature");
  });

  test.each([0.05, 0.3, 0.6, 0.9])("is corrupt when truncated to %d of its length", async (share) => {
    const bytes = sample({ packing: "plain" });
    expect(await codeOf(convert(scratch.file(bytes.subarray(0, bytes.length * share)), [from, "html"]))).toBe(
      "source_corrupt",
    );
  });

  test("is read or rejected with any single byte of its headers changed", async () => {
    const bytes = sample({ body: "<p>x</p>", packing: "huffman" });
    const codes = new Set<string>();
    for (let at = 60; at < Math.min(bytes.length, 4_000); at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const outcome = convert(scratch.file(changed), [from, "html"]).then(() => Promise.reject(new TypeError("read")));
      codes.add(await codeOf(outcome).catch((error: Error) => error.message));
    }
    expect(
      [...codes].filter((code) => !/^(?:read|source_corrupt|unsupported_feature|output_too_large)$/.test(code)),
    ).toEqual([]);
  });
});

test("is corrupt when compressed with a distance before its start", async () => {
  const bytes = mobipocketBook({ title: "x", body: "<p>abc</p>", picture, packing: "plain" });
  bytes.writeUInt16BE(2, bytes.readUInt32BE(78));
  bytes.set([0x80, 0x38], bytes.readUInt32BE(86));
  expect(await codeOf(convert(scratch.file(bytes), ["mobi", "html"]))).toBe("source_corrupt");
});
