import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";

const scratch = scratchFolder();
const routes = planRoutes(new Set(installedEngines().keys()));

type File = readonly [path: string, format: FormatId];

/** Merges the files as a job does. */
const merged = async (files: readonly [File, ...File[]], to: FormatId, options: Options = {}) => {
  const formats = files.map(([, format]) => format);
  const route = routes.merge(formats, to, Object.keys(options));
  if (route === undefined) {
    throw new Error(`No route merges ${formats.join()} into ${to}.`);
  }
  const [[input], ...others] = files;
  const further = others.map(([path, from], index) => ({ path, from, steps: route.further?.[index] ?? [] }));
  const folder = mkdtempSync(join(scratch.folder, "job-"));
  return convert({ input, further, folder, steps: route.steps, options }, () => {});
};

describe("files of different formats", () => {
  test("become one PDF in the given order", async () => {
    const note = scratch.file("# Second note\n\nIn Markdown.\n");
    const { output, timings } = await merged(
      [
        [sampleOf("docx"), "docx"],
        [sampleOf("jpg"), "jpg"],
        [note, "md"],
        [sampleOf("pdf"), "pdf"],
      ],
      "pdf",
    );
    execFileSync("qpdf", ["--check", output]);
    const pageText = (page: number) =>
      execFileSync("pdftotext", ["-f", `${page}`, "-l", `${page}`, output, "-"]).toString();
    const pages = Number(/Pages:\s+(\d+)/.exec(execFileSync("pdfinfo", [output]).toString())?.[1]);
    const texts = Array.from({ length: pages }, (_, index) => pageText(index + 1).trim());
    const picture = texts.indexOf("");
    const markdown = texts.findIndex((text) => text.includes("Second note"));
    expect(picture).toBeGreaterThan(0);
    expect(markdown).toBe(picture + 1);
    expect(pages).toBeGreaterThan(markdown + 1);
    expect(timings.at(-1)).toMatchObject({ engine: "pdflib", from: "pdf", to: "pdf" });
    expect(timings[0]).toMatchObject({ engine: "soffice", from: "docx" });
  });

  test("are named by number in an error", async () => {
    const broken = scratch.file(readFileSync(sampleOf("docx")).subarray(0, 2_000));
    const files: [File, File] = [
      [sampleOf("pdf"), "pdf"],
      [broken, "docx"],
    ];
    await expect(merged(files, "pdf")).rejects.toThrow(/^File 2: /);
  });
});

describe("tables with the same columns", () => {
  const first = scratch.file("name,amount\nAda,1.10\n");
  const second = scratch.file("amount;name\n007;Grace\n");
  const third = scratch.file('[{"name":"Linus","amount":12345678901234567890}]');

  test("are appended, whatever the order of their columns and their format", async () => {
    const files: [File, File, File] = [
      [first, "csv"],
      [second, "csv"],
      [third, "json"],
    ];
    const csv = await merged(files, "csv");
    expect(readFileSync(csv.output, "utf8")).toBe("name,amount\nAda,1.10\nGrace,007\nLinus,12345678901234567890\n");
    const json = await merged(files, "json", { indent: 0 });
    expect(readFileSync(json.output, "utf8")).toBe(
      '[{"name":"Ada","amount":1.10},{"name":"Grace","amount":"007"},{"name":"Linus","amount":12345678901234567890}]\n',
    );
  });

  test("become one workbook, and workbooks one table", async () => {
    const files: [File, File] = [
      [first, "csv"],
      [second, "csv"],
    ];
    const { output } = await merged(files, "xlsx");
    const again = await merged([[output, "xlsx"], files[1]], "csv");
    expect(readFileSync(again.output, "utf8").split("\n").slice(0, 4)).toEqual([
      "name,amount",
      "Ada,1.10",
      "Grace,007",
      "Grace,007",
    ]);
  });

  test("differ in a column: the error names the file and the columns", async () => {
    const other = scratch.file("name,total\nAda,1\n");
    const files: [File, File] = [
      [first, "csv"],
      [other, "csv"],
    ];
    await expect(merged(files, "csv")).rejects.toThrow(
      'File 2: its columns differ from those of the first table (missing: "amount"; additional: "total").',
    );
  });
});
