import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { checkSource } from "../../../../functions/engines/documents/soffice/check.ts";
import { sample, withMember } from "../../support/attacks/attack.ts";
import { zipBombs } from "../../support/attacks/bombs.ts";
import { codeOf } from "../../support/convert.ts";
import { fixture } from "../../support/fixtures.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { taskOf } from "../../support/task.ts";

/** Documents that are rejected before LibreOffice opens them. */

const scratch = scratchFolder();

const checked = (from: FormatId, bytes: string | Buffer): Promise<void> =>
  checkSource(taskOf({ input: scratch.file(bytes), output: scratch.fresh(), from, to: "pdf" }, scratch.folder));

const nested = (open: string, close: string, times: number): string => `${open.repeat(times)}${close.repeat(times)}`;

const wordTables = (times: number): Promise<Buffer> =>
  withMember("docx", "word/document.xml", (text) =>
    text.replace("<w:body>", `<w:body>${nested("<w:tbl><w:tr><w:tc>", "<w:p/></w:tc></w:tr></w:tbl>", times)}<w:p/>`),
  );

const textTables = (times: number): Promise<Buffer> =>
  withMember("odt", "content.xml", (text) =>
    text.replace(
      /<office:text[^>]*>/,
      (start) => start + nested("<table:table><table:table-row>", "</table:table-row></table:table>", times),
    ),
  );

const repeatedCell = (times: number): string =>
  String(sample("fods")).replace(
    "<table:table-row",
    `<table:table-row table:number-rows-repeated="${times}"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="1000"><text:p>1</text:p></table:table-cell></table:table-row><table:table-row`,
  );

describe("a document is rejected before LibreOffice opens it", () => {
  test("when tables are nested too deeply, but not at a realistic depth", async () => {
    expect(await codeOf(checked("docx", await wordTables(60)))).toBe("unsupported_feature");
    expect(await codeOf(checked("odt", await textTables(60)))).toBe("unsupported_feature");
    await checked("docx", await wordTables(40));
    await checked("odt", await textTables(40));
  });

  test("when a cell is repeated millions of times", async () => {
    expect(await codeOf(checked("fods", repeatedCell(1_000_000)))).toBe("output_too_large");
    await checked("fods", repeatedCell(100));
  });

  test.each(zipBombs.filter(({ from, name }) => /^(?:docx|xlsx|ods)$/.test(from) && /\.xml$/.test(name)))(
    "when a part decompresses to a gigabyte: $from, $name",
    async ({ from, bytes }) => {
      expect(await codeOf(checked(from, await bytes()))).toBe("archive_unsafe");
    },
  );
});

test.each(["docx", "odt", "fodt", "xlsx", "ods", "fods", "pptx", "odp", "odg", "doc", "xls", "ppt", "rtf"] as const)(
  "but not a regular %s, nor an encrypted or damaged one, for which LibreOffice reports more details",
  async (from) => {
    await checked(from, sample(from));
    await checked(from, Buffer.concat([Buffer.from("PK\u0003\u0004"), sample(from)]));
    await checked(from, sample(from).subarray(0, 300));
  },
);

test.each(["encrypted.docx", "encrypted.odt", "encrypted.xlsx"])("but not %s", async (name) => {
  const from: FormatId = name.endsWith("odt") ? "odt" : name.endsWith("docx") ? "docx" : "xlsx";
  await checkSource(taskOf({ input: fixture(name), output: scratch.fresh(), from, to: "pdf" }, scratch.folder));
});
