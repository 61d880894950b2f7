import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pngChunk } from "../../functions/engines/sharp/apng.ts";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy } from "./support/task.ts";

/**
 * A file of many entries is work in proportion to them. Were it work with their square, these files would take minutes,
 * and the test its time limit.
 */

const scratch = scratchFolder();
const calendar = convertingBy("calendar", scratch);
const records = convertingBy("records", scratch);
const mail = convertingBy("mail", scratch);
const trees = convertingBy("trees", scratch);
const docx = convertingBy("docx", scratch);
const occt = convertingBy("occt", scratch);
const pdflib = convertingBy("pdflib", scratch);

/** Where the first chunk of a PNG ends, which has to be its header. */
const BEHIND_HEAD = 33;

const textOf = (path: string): string => readFileSync(path, "utf8");

const event = (lines: string): string =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20200101\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const card = (lines: string): string => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\n${lines}\r\nEND:VCARD\r\n`;

test("an iCalendar line of 5 MB in 100,000 pieces is one value", async () => {
  const pieces = Array.from({ length: 100_000 }, () => "x".repeat(50)).join("\r\n ");
  const { path } = await calendar(scratch.file(event(`DESCRIPTION:${pieces}`)), ["ics", "json"]);
  expect(JSON.parse(textOf(path))[0].description).toBe("x".repeat(5_000_000));
});

test("a vCard line of 5 MB in quoted-printable is one value", async () => {
  const pieces = Array.from({ length: 100_000 }, () => "x".repeat(50)).join("=\r\n");
  const { path } = await calendar(scratch.file(card(`NOTE;ENCODING=QUOTED-PRINTABLE:${pieces}`)), ["vcf", "json"]);
  expect(textOf(path)).toContain("x".repeat(5_000_000));
});

test("a hundred thousand properties of one name are as many values", async () => {
  const guests = Array.from({ length: 100_000 }, (_, index) => `ATTENDEE:mailto:${index}@example.org`).join("\r\n");
  const mails = Array.from({ length: 100_000 }, (_, index) => `EMAIL:${index}@example.org`).join("\r\n");
  const invited = textOf((await calendar(scratch.file(event(guests)), ["ics", "json"])).path);
  const known = textOf((await calendar(scratch.file(card(mails)), ["vcf", "json"])).path);
  expect([invited.match(/@example/g)?.length, known.match(/@example/g)?.length]).toEqual([100_000, 100_000]);
});

test("a parameter that is named a hundred thousand times has as many values", async () => {
  const { path } = await calendar(scratch.file(card(`TEL${";TYPE=home".repeat(100_000)}:1`)), ["vcf", "json"]);
  expect(JSON.parse(textOf(path))[0]).toMatchObject({ phone: ["1"] });
});

test("a record that stands among millions of blanks is read", async () => {
  const blanks = " \n".repeat(1_500_000);
  const { path } = await records(scratch.file(`[${blanks}{"a":"x${" ".repeat(1_000_000)}y"}${blanks}]`), [
    "json",
    "csv",
  ]);
  expect(textOf(path)).toMatch(/^a\r?\nx {1000000}y\r?\n$/);
});

test("an object of a hundred thousand members is one record, too wide for a table", async () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `"a${index}":1`).join(",");
  expect(await codeOf(records(scratch.file(`{${members}}`), ["json", "csv"]))).toBe("output_too_large");
});

test("sixteen thousand columns of one name get a name each", async () => {
  const row = (cell: string): string => Array.from({ length: 16_000 }, () => cell).join(",");
  const { path } = await records(scratch.file(`${row("a")}\n${row("1")}\n`), ["csv", "json"]);
  expect(Object.keys(JSON.parse(textOf(path))[0])).toHaveLength(16_000);
});

test("a PNG in half a million pieces becomes a PDF", async () => {
  const png = readFileSync(sampleOf("png"));
  const [head, rest] = [png.subarray(0, BEHIND_HEAD), png.subarray(BEHIND_HEAD)];
  const nothing = Buffer.alloc(12 * 500_000, pngChunk("tEXt", Buffer.alloc(0)));
  const { path } = await pdflib(scratch.file(Buffer.concat([head, nothing, rest])), ["png", "pdf"]);
  expect(readFileSync(path, "latin1")).toMatch(/^%PDF-/);
});

test("a message of a hundred thousand empty lines goes into a mailbox, and ends with one", async () => {
  const lines = "\n".repeat(50_000);
  const source = scratch.file(`From: a@example.org\nSubject: x\n\nbegins${lines}ends${lines}`);
  const mailbox = textOf((await mail(source, ["eml", "mbox"])).path);
  expect([mailbox.includes(`begins${lines}ends`), /ends\n\n$/.test(mailbox)]).toEqual([true, true]);
});

test("a number of a million zeros between two others keeps its value", async () => {
  const number = `1${"0".repeat(1_000_000)}1`;
  const { path } = await trees(scratch.file(`{"a":${number}}`), ["json", "yaml"]);
  expect(textOf(path)).toContain(number);
});

test("backslashes in the middle of a line of properties, a million of them, stand for half as many", async () => {
  const { path } = await trees(scratch.file(`a=${"\\".repeat(1_000_000)}x`), ["properties", "json"]);
  expect(JSON.parse(textOf(path))).toEqual({ a: `${"\\".repeat(500_000)}x` });
});

test("a text with a million blanks that cannot be broken becomes a Word document", async () => {
  const { path } = await docx(scratch.file(`<p>a${"\u00a0".repeat(1_000_000)}b</p>`), ["html", "docx"]);
  expect(readFileSync(path).subarray(0, 2).toString()).toBe("PK");
});

test("what stands behind the end of a PDF, millions of bytes of it, is left alone", async () => {
  const pdf = Buffer.concat([readFileSync(sampleOf("pdf")), Buffer.alloc(20_000_000, "x ")]);
  const { path } = await pdflib(scratch.file(pdf), ["pdf", "pdf"]);
  expect(readFileSync(path).length).toBeLessThan(20_000_000);
});

test("a model in STEP with zeros in it is no text, and is refused before its reader goes through them", async () => {
  const bytes = readFileSync(sampleOf("step"));
  bytes.fill(0, 2_000, 2_010);
  expect(await codeOf(occt(scratch.file(bytes), ["step", "glb"]))).toBe("source_corrupt");
});
