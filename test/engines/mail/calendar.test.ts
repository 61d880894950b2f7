import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("calendar", scratch);
const made = async (input: string, pair: readonly [FormatId, FormatId]): Promise<string> =>
  readFileSync((await convert(input, pair)).path, "utf8");

describe("a calendar", () => {
  test("becomes a table with a row for each entry, times in ISO 8601, and the zone in a separate column", async () => {
    const rows = parse(await made(sampleOf("ics"), ["ics", "csv"]), { columns: true });
    expect(rows).toMatchObject([
      {
        summary: "Regatta, Zürich 東京",
        start: "2025-06-30T09:30:00",
        timezone: "Europe/Zurich",
        location: "Pier 7; north",
        description:
          "Bring ropes\nand a very long line of words that has to be folded because it is longer than seventy-five bytes.",
        attendees: "Ana <ana@example.com>",
        attendees_2: "Li <li@example.com>",
        categories_2: "Sea",
        rrule: "FREQ=YEARLY;COUNT=3",
        all_day: "false",
      },
      { summary: "Holiday", start: "2025-08-01", all_day: "true" },
    ]);
    expect((await convert(sampleOf("ics"), ["ics", "csv"])).codes).toEqual(["properties_dropped"]);
  });

  test("keeps alarms, attendees and line lengths through JSON and back", async () => {
    const json = await made(sampleOf("ics"), ["ics", "json"]);
    const ics = await made(scratch.file(json), ["json", "ics"]);
    expect(ics).toMatch(/BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT/);
    expect(ics).toContain("SUMMARY:Regatta\\, Zürich 東京");
    expect(ics).toContain("DTSTART;TZID=Europe/Zurich:20250630T093000");
    expect(ics.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(JSON.parse(await made(scratch.file(ics), ["ics", "json"]))).toEqual(JSON.parse(json));
  });

  test("creates the same calendar from the same table", async () => {
    const table = scratch.file("summary,start\nA,2025-01-01\nB,2025-01-02T10:00:00Z\n");
    const first = await made(table, ["csv", "ics"]);
    expect(await made(table, ["csv", "ics"])).toBe(first);
    expect(first).toContain("DTSTART:20250102T100000Z");
  });
});

test("an entry in JSON says with a boolean whether it takes all day", async () => {
  const entries = JSON.parse(await made(sampleOf("ics"), ["ics", "json"])) as { all_day?: unknown }[];
  expect(entries.map((entry) => entry.all_day)).toEqual([false, true]);
});

test("people keep their names, through a table and back", async () => {
  const event = [
    "BEGIN:VEVENT",
    "SUMMARY:A",
    "DTSTART:20250101",
    'ATTENDEE;ROLE=CHAIR;CN="Pérez, Ana":mailto:ana@example.com',
    "ORGANIZER;CN=Li:mailto:li@example.com",
    "END:VEVENT",
  ];
  const calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", ...event, "END:VCALENDAR", ""].join("\r\n");
  const csv = await made(scratch.file(calendar), ["ics", "csv"]);
  expect(parse(csv, { columns: true })).toMatchObject([
    { attendees: "Pérez, Ana <ana@example.com>", organizer: "Li <li@example.com>" },
  ]);
  const ics = await made(scratch.file(csv), ["csv", "ics"]);
  expect(ics).toContain('ATTENDEE;CN="Pérez, Ana":mailto:ana@example.com');
  expect(ics).toContain("ORGANIZER;CN=Li:mailto:li@example.com");
});

describe("contacts", () => {
  test("become a table with a column for each value of a list, and with vCard 2.1 text decoded", async () => {
    const rows = parse(await made(sampleOf("vcf"), ["vcf", "csv"]), { columns: true });
    expect(rows).toMatchObject([
      {
        full_name: "Ana Pérez",
        prefix: "Dr.",
        additional_names: "María",
        organization: "Harbour, Ltd., Ropes",
        phone: "+51 1 234",
        phone_2: "+51 1 567",
        phone_type: "cell",
        phone_type_2: "work",
        address: "Pier 7, Lima, 15001, Perú",
        note: "First line\nsecond line",
      },
      { full_name: "李 明", family_name: "李", given_name: "明", phone: "007", phone_type: "home" },
    ]);
  });

  test("lose nothing through JSON and back", async () => {
    const json = await made(sampleOf("vcf"), ["vcf", "json"]);
    const vcf = await made(scratch.file(json), ["json", "vcf"]);
    expect(vcf).toContain("X-SHIP:Estrella");
    expect(vcf).toContain("TEL;TYPE=CELL:+51 1 234");
    expect(JSON.parse(await made(scratch.file(vcf), ["vcf", "json"]))).toMatchObject(
      JSON.parse(json).map(({ other: _, ...person }: { other?: unknown }) => person),
    );
  });
});

describe("rejects invalid input with the matching code", () => {
  const cases: readonly [string, FormatId, FormatId, string, string][] = [
    ["a truncated calendar", "ics", "csv", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:A\n", "source_corrupt"],
    ["components closed out of order", "ics", "csv", "BEGIN:VCALENDAR\nEND:VEVENT\n", "source_corrupt"],
    ["components nested too deeply", "ics", "csv", "BEGIN:A\n".repeat(100), "source_corrupt"],
    ["a calendar without entries", "ics", "json", "BEGIN:VCALENDAR\nEND:VCALENDAR\n", "source_corrupt"],
    ["a table that is not a calendar", "csv", "ics", "a,b\n1,2\n", "unsupported_feature"],
    ["a table without contacts", "csv", "vcf", "a,b\n1,2\n", "unsupported_feature"],
    ["a JSON that is not a list of objects", "json", "vcf", "[1, 2]", "unsupported_feature"],
    ["invalid JSON", "json", "ics", "{", "source_corrupt"],
    ["a table with an unclosed quote", "csv", "vcf", 'name\n"Ana', "source_corrupt"],
  ];
  test.each(cases)("%s", async (_, from, to, text, code) => {
    expect(await codeOf(convert(scratch.file(text), [from, to]))).toBe(code);
  });
});
