import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pngChunk } from "../../../functions/engines/pictures/sharp/apng.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

/**
 * Files with many entries take linear time. With quadratic time, these files would take minutes and exceed the time
 * limit of the test.
 */

const scratch = scratchFolder();
const calendar = convertingBy("calendar", scratch);
const records = convertingBy("text-tables", scratch);
const mail = convertingBy("mail", scratch);
const structured = convertingBy("structured", scratch);
const docx = convertingBy("docx", scratch);
const occt = convertingBy("occt", scratch);
const pdflib = convertingBy("pdflib", scratch);

/** The end of the first chunk of a PNG, which must be its header. */
const HEADER_END = 33;

const textOf = (path: string): string => readFileSync(path, "utf8");

const event = (lines: string): string =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20200101\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const card = (lines: string): string => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\n${lines}\r\nEND:VCARD\r\n`;

test("reads a folded iCalendar line of 5 MB in 100,000 pieces as one value", async () => {
  const pieces = Array.from({ length: 100_000 }, () => "x".repeat(50)).join("\r\n ");
  const { path } = await calendar(scratch.file(event(`DESCRIPTION:${pieces}`)), ["ics", "json"]);
  expect(JSON.parse(textOf(path))[0].description).toBe("x".repeat(5_000_000));
});

test("reads a vCard line of 5 MB in quoted-printable as one value", async () => {
  const pieces = Array.from({ length: 100_000 }, () => "x".repeat(50)).join("=\r\n");
  const { path } = await calendar(scratch.file(card(`NOTE;ENCODING=QUOTED-PRINTABLE:${pieces}`)), ["vcf", "json"]);
  expect(textOf(path)).toContain("x".repeat(5_000_000));
});

test("reads a hundred thousand properties with the same name", async () => {
  const guests = Array.from({ length: 100_000 }, (_, index) => `ATTENDEE:mailto:${index}@example.org`).join("\r\n");
  const mails = Array.from({ length: 100_000 }, (_, index) => `EMAIL:${index}@example.org`).join("\r\n");
  const invited = textOf((await calendar(scratch.file(event(guests)), ["ics", "json"])).path);
  const known = textOf((await calendar(scratch.file(card(mails)), ["vcf", "json"])).path);
  expect([invited.match(/@example/g)?.length, known.match(/@example/g)?.length]).toEqual([100_000, 100_000]);
});

test("reads a parameter that is repeated a hundred thousand times", async () => {
  const { path } = await calendar(scratch.file(card(`TEL${";TYPE=home".repeat(100_000)}:1`)), ["vcf", "json"]);
  expect(JSON.parse(textOf(path))[0]).toMatchObject({ phone: ["1"] });
});

test("reads a record surrounded by millions of blanks", async () => {
  const blanks = " \n".repeat(1_500_000);
  const { path } = await records(scratch.file(`[${blanks}{"a":"x${" ".repeat(1_000_000)}y"}${blanks}]`), [
    "json",
    "csv",
  ]);
  expect(textOf(path)).toMatch(/^a\r?\nx {1000000}y\r?\n$/);
});

test("rejects an object of a hundred thousand members as too wide for a table", async () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `"a${index}":1`).join(",");
  expect(await codeOf(records(scratch.file(`{${members}}`), ["json", "csv"]))).toBe("output_too_large");
});

test("gives sixteen thousand columns with the same name unique names", async () => {
  const row = (cell: string): string => Array.from({ length: 16_000 }, () => cell).join(",");
  const { path } = await records(scratch.file(`${row("a")}\n${row("1")}\n`), ["csv", "json"]);
  expect(Object.keys(JSON.parse(textOf(path))[0])).toHaveLength(16_000);
});

test("converts a PNG with half a million chunks to PDF", async () => {
  const png = readFileSync(sampleOf("png"));
  const [head, rest] = [png.subarray(0, HEADER_END), png.subarray(HEADER_END)];
  const nothing = Buffer.alloc(12 * 500_000, pngChunk("tEXt", Buffer.alloc(0)));
  const { path } = await pdflib(scratch.file(Buffer.concat([head, nothing, rest])), ["png", "pdf"]);
  expect(readFileSync(path, "latin1")).toMatch(/^%PDF-/);
});

test("writes a message with a hundred thousand empty lines to a mailbox", async () => {
  const lines = "\n".repeat(50_000);
  const source = scratch.file(`From: a@example.org\nSubject: x\n\nbegins${lines}ends${lines}`);
  const mailbox = textOf((await mail(source, ["eml", "mbox"])).path);
  expect([mailbox.includes(`begins${lines}ends`), /ends\n\n$/.test(mailbox)]).toEqual([true, true]);
});

test("keeps the value of a number with a million zeros", async () => {
  const number = `1${"0".repeat(1_000_000)}1`;
  const { path } = await structured(scratch.file(`{"a":${number}}`), ["json", "yaml"]);
  expect(textOf(path)).toContain(number);
});

test("reads a million escaped backslashes in a properties line as half as many", async () => {
  const { path } = await structured(scratch.file(`a=${"\\".repeat(1_000_000)}x`), ["properties", "json"]);
  expect(JSON.parse(textOf(path))).toEqual({ a: `${"\\".repeat(500_000)}x` });
});

test("converts a text with a million non-breaking spaces to a Word document", async () => {
  const { path } = await docx(scratch.file(`<p>a${"\u00a0".repeat(1_000_000)}b</p>`), ["html", "docx"]);
  expect(readFileSync(path).subarray(0, 2).toString()).toBe("PK");
});

test("ignores millions of bytes after the end of a PDF", async () => {
  const pdf = Buffer.concat([readFileSync(sampleOf("pdf")), Buffer.alloc(20_000_000, "x ")]);
  const { path } = await pdflib(scratch.file(pdf), ["pdf", "pdf"]);
  expect(readFileSync(path).length).toBeLessThan(20_000_000);
});

test("rejects a STEP model with null bytes before parsing it", async () => {
  const bytes = readFileSync(sampleOf("step"));
  bytes.fill(0, 2_000, 2_010);
  expect(await codeOf(occt(scratch.file(bytes), ["step", "glb"]))).toBe("source_corrupt");
});
