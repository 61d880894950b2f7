import { readFileSync, writeFileSync } from "node:fs";
import { CFB, type WorkBook, type WorkSheet, write } from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { writeZip, type ZipMember } from "../../../functions/engines/archives/zip/writer.ts";
import { tableChecks } from "../contract/tables.ts";
import { withMembers } from "../support/attacks/attack.ts";
import { codeOf } from "../support/convert.ts";
import { fixture } from "../support/fixtures.ts";
import { type RawMember, zipOf } from "../support/raw-archives.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("sheets", scratch);

const book = (sheets: Readonly<Record<string, WorkSheet>>, more: Partial<WorkBook> = {}): string =>
  scratch.file(
    write({ SheetNames: Object.keys(sheets), Sheets: { ...sheets }, ...more }, { type: "buffer", bookType: "xlsx" }),
  );
const text = async (...task: Parameters<typeof convert>): Promise<string> =>
  readFileSync((await convert(...task)).path, "utf8");

describe("invalid workbooks", () => {
  const zipOf = async (members: readonly ZipMember[]): Promise<string> => {
    const path = scratch.fresh();
    await writeZip(path, members);
    return path;
  };

  test("an encrypted workbook needs a password", async () => {
    const file = CFB.utils.cfb_new();
    CFB.utils.cfb_add(file, "/EncryptedPackage", Buffer.alloc(100));
    CFB.utils.cfb_add(file, "/EncryptionInfo", Buffer.alloc(100));
    expect(await codeOf(convert(scratch.file(CFB.write(file, { type: "buffer" }) as Buffer), ["xlsx", "csv"]))).toBe(
      "password_required",
    );
  });

  test("macros are left out with a warning", async () => {
    const source = scratch.path("macros.xlsx");
    const file = CFB.read(readFileSync(fixture("sample.xlsx")), { type: "buffer" });
    CFB.utils.cfb_add(file, "/xl/vbaProject.bin", Buffer.from("macros"));
    writeFileSync(source, CFB.write(file, { type: "buffer", fileType: "zip" }) as Buffer);
    expect((await convert(source, ["xlsx", "csv"])).codes).toEqual(["macros_dropped"]);
  });

  test("a workbook that unpacks to too much is rejected before it is read", async () => {
    const path = await zipOf([
      { path: "xl/workbook.xml", bytes: "<workbook/>" },
      { path: "xl/worksheets/sheet1.xml", bytes: Buffer.alloc(250_000_000, " ") },
    ]);
    expect(["archive_unsafe", "output_too_large"]).toContain(await codeOf(convert(path, ["xlsx", "csv"])));
  });

  test("a workbook with cells at opposite ends is rejected as too large quickly", async () => {
    const far: WorkSheet = { A1: { t: "n", v: 1 }, "!ref": "A1" };
    const path = book({ S: far });
    const file = CFB.read(readFileSync(path), { type: "buffer" });
    const place = CFB.find(file, "/xl/worksheets/sheet1.xml");
    const xml = Buffer.from(place?.content ?? [])
      .toString()
      .replace("</row>", '</row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
      .replace('ref="A1"', 'ref="A1:XFD1048576"');
    CFB.utils.cfb_add(file, "/xl/worksheets/sheet1.xml", Buffer.from(xml));
    const large = scratch.file(CFB.write(file, { type: "buffer", fileType: "zip" }) as Buffer);
    for (const to of ["csv", "html", "ods"] as const) {
      expect(await codeOf(convert(large, ["xlsx", to]))).toBe("output_too_large");
    }
  });

  const cut = (name: string, bytes: number): string => scratch.file(readFileSync(fixture(name)).subarray(0, bytes));
  test.each([
    ["xlsx", 2_000],
    ["ods", 2_000],
    ["xlsb", 3_000],
    ["numbers", 20_000],
  ] as const)("a truncated %s is damaged", async (from, bytes) => {
    expect(await codeOf(convert(cut(`sample.${from}`, bytes), [from, "csv"]))).toBe("source_corrupt");
  });

  test("a text named as a workbook is rejected", async () => {
    expect(await codeOf(convert(scratch.file("a,b\n1,2\n"), ["xlsx", "csv"]))).toBe("source_mismatch");
    expect(await codeOf(convert(scratch.file("a,b\n1,2\n"), ["xls", "csv"]))).toBe("source_mismatch");
  });
});

describe.each(["csv", "tsv", "xlsx", "xls", "xlsb", "ods", "fods", "numbers"] as const)("%s as HTML", (from) => {
  test("shows the rows of the sample", async () => {
    const { path, codes } = await convert(fixture(`sample.${from}`), [from, "html"]);
    const result = { path, from, to: "html", codes, bundled: false, engine: "sheets", fidelity: "lossless" } as const;
    await tableChecks.html?.(result);
  });
});

test("an HTML table shows its values, with markup escaped", async () => {
  const html = await text(scratch.file('a,<b>\n"x & ""y""",<script>\n'), ["csv", "html"]);
  expect(html).toContain("<th>&lt;b&gt;</th>");
  expect(html).toContain("<td>x &amp; &quot;y&quot;</td><td>&lt;script&gt;</td>");
});

describe("only parts of a workbook that contain cells are unpacked", () => {
  test("pictures with invalid data are ignored", async () => {
    const broken = await withMembers("xlsx", [
      { name: "xl/media/image1.png", packed: Buffer.from("not valid Deflate data") },
    ]);
    const [one, other] = [
      await text(scratch.file(broken), ["xlsx", "csv"]),
      await text(fixture("sample.xlsx"), ["xlsx", "csv"]),
    ];
    expect(one).toBe(other);
  });

  test("parts in the nested zip of Numbers 2013 are handled the same way", async () => {
    const parts: RawMember[] = await readZip(fixture("sample.numbers"), (zip) =>
      Promise.all(zip.paths.map(async (name) => ({ name, bytes: (await zip.read(name)) ?? "" }))),
    );
    const old = zipOf([{ name: "Index.zip", bytes: zipOf(parts) }]);
    expect(await text(scratch.file(old), ["numbers", "csv"])).toBe(
      await text(fixture("sample.numbers"), ["numbers", "csv"]),
    );
  });
});
