import { readFileSync } from "node:fs";
import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner.js";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { zipHolds } from "../support/entries.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("mail", scratch);
const textOf = async (made: Promise<{ path: string }>): Promise<string> => readFileSync((await made).path, "utf8");
const message = (...lines: string[]): string => scratch.file(lines.join("\r\n"));

describe.each(["eml", "msg"] as const)("a message in %s", (format) => {
  test("as HTML has its headers, body and embedded pictures, and runs or loads nothing", async () => {
    const { path, codes } = await convert(sampleOf(format), [format, "html"]);
    const html = readFileSync(path, "utf8");
    expect(html).toContain("<title>Harbour report – 港</title>");
    expect(html).toMatch(/Łukasz &lt;lukasz@example\.com&gt;/);
    expect(html).toMatch(/<h1>Harbour report<\/h1><p>Überfahrt, café – 12 €\./);
    expect(html).toMatch(/<img src="data:image\/png;base64,iVBOR/);
    expect(html).toContain("crew Ł.csv (20 bytes)");
    expect(html).not.toMatch(/<script|127\.0\.0\.1|cid:/);
    expect(codes).toContain("remote_content_dropped");
  });

  test("as text has the headers, the names of the attachments, and the plain body", async () => {
    const text = await textOf(convert(sampleOf(format), [format, "txt"]));
    expect(text).toMatch(/^Harbour report – 港\n\nFrom: Łukasz <lukasz@example\.com>\nTo: .*Ana, Perú.*\n/);
    expect(text).toMatch(/Attachment: crew Ł\.csv \(20 bytes\)\n\nHarbour report\n\nÜberfahrt/);
  });

  test("shows the date for readers, at the sender's place if the message says so", async () => {
    for (const to of ["html", "txt"] as const) {
      const text = await textOf(convert(sampleOf(format), [format, to]));
      expect(text).toMatch(/2025-06-30 (?:09:30 \+02:00|07:30 UTC)/);
      expect(text).not.toContain("2025-06-30T07:30:00.000Z");
    }
  });

  test("as JSON has everything, including attachments byte for byte", async () => {
    const value = JSON.parse(await textOf(convert(sampleOf(format), [format, "json"])));
    expect(value).toMatchObject({
      subject: "Harbour report – 港",
      date: "2025-06-30T07:30:00.000Z",
      message_id: "<report-1@example.com>",
      attachments: [
        { filename: "flag.png", media_type: "image/png", content_id: "picture@anyform", inline: true },
        { filename: "crew Ł.csv", media_type: "text/csv", inline: false, size: 20 },
      ],
    });
    expect(Buffer.from(value.attachments[1].content_base64, "base64").toString()).toBe("Name,Crew\nŁukasz,7\n");
  });

  test("as a zip has its attachments and its text", async () => {
    const { path } = await convert(sampleOf(format), [format, "zip"]);
    const files = await zipHolds(path);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(["message.txt", "flag.png", "crew Ł.csv"]));
    expect(files["crew Ł.csv"]).toBe("Name,Crew\nŁukasz,7\n");
  });
});

describe("a mailbox", () => {
  test("is split at the start of messages, not at every line that starts with From", async () => {
    const { parts = [] } = await convert(sampleOf("mbox"), ["mbox", "eml"]);
    const texts = parts.map(({ path }) => readFileSync(path, "utf8"));
    expect(parts.map(({ name }) => name)).toEqual(["message-0001", "message-0002"]);
    expect(texts[1]).toContain("\nFrom afar,\n");
    expect(JSON.parse(await textOf(convert(sampleOf("mbox"), ["mbox", "json"]))).length).toBe(2);
  });

  test("returns the messages that were combined in it", async () => {
    const first = message("From: a@example.com", "Subject: One", "", "From me", "", "From you");
    const { path } = await convert(first, ["eml", "mbox"]);
    const { parts = [] } = await convert(path, ["mbox", "eml"]);
    expect(parts.map((part) => readFileSync(part.path, "utf8").trim())).toEqual([readFileSync(first, "utf8").trim()]);
  });

  test("without messages is corrupt", async () => {
    expect(await codeOf(convert(scratch.file("no line"), ["mbox", "eml"]))).toBe("source_corrupt");
  });
});

describe("hostile messages", () => {
  test("attachments whose names point outside the folder are kept in the zip under unique names", async () => {
    const part = (name: string) => ["--b", `Content-Disposition: attachment; filename="${name}"`, "", name];
    const names = ["../../evil.txt", "/etc/passwd", "evil.txt", "message.txt"].flatMap(part);
    const input = message("From: a@b.c", "Content-Type: multipart/mixed; boundary=b", "", ...names, "--b--");
    const { path } = await convert(input, ["eml", "zip"]);
    const list = Object.keys(await zipHolds(path));
    expect(list).toEqual(["message.txt", "evil.txt", "passwd", "2-evil.txt", "2-message.txt"]);
  });

  test("endlessly nested parts are corrupt", async () => {
    const nested = Array.from({ length: 500 }, (_, level) => [
      `Content-Type: multipart/mixed; boundary=b${level}`,
      "",
      `--b${level}`,
    ]);
    expect(await codeOf(convert(message("From: a@b.c", ...nested.flat()), ["eml", "txt"]))).toBe("source_corrupt");
  });

  test.each([0.1, 0.5, 0.9])(
    "an Outlook message truncated at %d of its length is corrupt or partially read",
    async (share) => {
      const bytes = readFileSync(sampleOf("msg"));
      const run = convert(scratch.file(bytes.subarray(0, bytes.length * share)), ["msg", "txt"]);
      const ended = await run.then(
        () => "converted",
        () => codeOf(run),
      );
      expect(["source_corrupt", "converted"]).toContain(ended);
    },
  );

  test.each([
    [950, "b4fab8d5", "測試"],
    [932, "8365835883678381815b838b", "テストメール"],
    [1251, "cff0e8e2e5f2", "Привет"],
    [undefined, "9363616693", "“caf“"],
  ] as const)("an Outlook message without Unicode is decoded by its code page, %s", async (codepage, hex, text) => {
    const bytes = Buffer.from(hex, "hex");
    const file = (name: string, content: Buffer): Entry => ({
      name,
      type: 2,
      length: content.length,
      binaryProvider: () => Uint8Array.from(content),
    });
    const fixed = Buffer.alloc(codepage === undefined ? 32 : 48);
    if (codepage !== undefined) {
      fixed.writeUInt32LE(0x3ffd_0003, 32);
      fixed.writeUInt32LE(6, 36);
      fixed.writeUInt32LE(codepage, 40);
    }
    const members = [
      file("__properties_version1.0", fixed),
      file("__substg1.0_001A001E", Buffer.from("IPM.Note")),
      file("__substg1.0_0037001E", bytes),
      file("__substg1.0_1000001E", bytes),
    ];
    const root: Entry = { name: "Root Entry", type: 5, length: 0, children: members.map((_, index) => index + 1) };
    expect(await textOf(convert(scratch.file(burn([root, ...members])), ["msg", "txt"]))).toContain(text);
  });

  test("headers that refer to files and URLs do not include them in the message", async () => {
    const input = message(
      "From: a@b.c",
      "Content-Type: text/html",
      "",
      '<img src="file:///etc/hostname"><link href="http://127.0.0.1:1/a.css" rel=stylesheet>',
    );
    expect(await textOf(convert(input, ["eml", "html"]))).not.toMatch(/file:|127\.0\.0\.1/);
  });
});
