import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { codeOf } from "../support/convert.ts";
import { zipHolds } from "../support/entries.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("archive", scratch);

const record = (fields: Readonly<Record<string, string>>, block: Buffer | string): Buffer => {
  const bytes = Buffer.from(block);
  const lines = Object.entries({ ...fields, "Content-Length": String(bytes.length) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`WARC/1.0\r\n${head}\r\n`), bytes, Buffer.from("\r\n\r\n")]);
};

const response = (uri: string, head: string, body: Buffer | string): Buffer =>
  record(
    {
      "WARC-Type": "response",
      "WARC-Target-URI": uri,
      "WARC-Date": "2024-02-29T12:00:00Z",
      "Content-Type": "application/http; msgtype=response",
    },
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`), Buffer.from(body)]),
  );

const PAGES = [
  record({ "WARC-Type": "warcinfo", "Content-Type": "application/warc-fields" }, "software: test\r\n"),
  response("https://example.com/", "Content-Encoding: gzip\r\n", gzipSync("<p>home</p>")),
  response(
    "https://example.com/a%20b.txt?x=1",
    "Transfer-Encoding: chunked\r\n",
    "3\r\nabc\r\n2;a=b\r\nde\r\n0\r\n\r\n",
  ),
  // Stored decoded, with the header of the server.
  response("https://example.com/plain.txt", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "plain"),
  record({ "WARC-Type": "request", "Content-Type": "application/http" }, "GET / HTTP/1.1\r\n\r\n"),
  record({ "WARC-Type": "resource", "WARC-Target-URI": "file://docs/x.bin" }, Buffer.from([0, 13, 10, 13, 10, 255])),
];

describe("a web archive", () => {
  test.each(["warc", "warc.gz"])("as %s becomes the files of its responses, decoded", async (extension) => {
    // Each record is compressed separately (WARC 1.1, annex D).
    const bytes = Buffer.concat(extension === "warc" ? PAGES : PAGES.map((page) => gzipSync(page)));
    expect(detectFormat(bytes, { filename: `crawl.${extension}` })).toBe("warc");
    const { path, codes } = await convert(scratch.file(bytes), ["warc", "zip"]);
    expect(codes).toEqual(["metadata_dropped"]);
    expect(await zipHolds(path)).toMatchObject({
      "example.com/index.html": "<p>home</p>",
      "example.com/a b.txt?x=1": "abcde",
      "example.com/plain.txt": "plain",
    });
  });

  test("without HTTP headers loses nothing", async () => {
    const { path, codes } = await convert(scratch.file(PAGES.at(-1) ?? ""), ["warc", "zip"]);
    expect(Object.keys(await zipHolds(path))).toEqual(["docs/x.bin"]);
    expect(codes).toEqual([]);
  });

  test("without responses is not supported", async () => {
    const requests = Buffer.concat(PAGES.filter((_, index) => index === 0 || index === 4));
    expect(await codeOf(convert(scratch.file(requests), ["warc", "zip"]))).toBe("unsupported_feature");
  });

  test("that is truncated, or has an invalid record, is damaged", async () => {
    const bytes = Buffer.concat(PAGES);
    const bad = Buffer.from(bytes.toString("latin1").replace(/Content-Length: \d+/, "Content-Length: -1"), "latin1");
    for (const broken of [bytes.subarray(0, bytes.length - 9), bad, Buffer.from("WARC/1.0\r\nno end")]) {
      expect(await codeOf(convert(scratch.file(broken), ["warc", "zip"]))).toBe("source_corrupt");
    }
  });

  test("that unpacks to far more than its size is refused", async () => {
    const bomb = response("https://example.com/0", "Content-Encoding: gzip\r\n", gzipSync(Buffer.alloc(400_000_000)));
    expect(await codeOf(convert(scratch.file(bomb), ["warc", "zip"]))).toBe("archive_unsafe");
  });
});
