import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { EngineId } from "../../../functions/domain/conversions/engines.ts";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { damaged } from "../support/damaged-zip.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();

const engines: readonly (readonly [EngineId, FormatId, FormatId])[] = [
  ["pandoc", "docx", "html"],
  ["pandoc", "odt", "html"],
  ["sheets", "xlsx", "csv"],
  ["soffice", "docx", "pdf"],
  ["soffice", "pptx", "pdf"],
  ["soffice", "xlsx", "pdf"],
  ["epub", "epub", "html"],
];

describe.each(engines)("%s reports a damaged %s", (engine, from, to) => {
  const convert = convertingBy(engine, scratch);
  const files = Object.entries(damaged(readFileSync(sampleOf(from))));

  test.skipIf(!isInstalled(engine)).each(files)("with its %s as damaged, not as a zip", async (_, bytes) => {
    await expect(convert(scratch.file(bytes), [from, to])).rejects.toMatchObject({
      code: "source_corrupt",
      message: expect.stringMatching(new RegExp(`^The ${formatOf(from).name} file is damaged\\b`)),
    });
  });
});
