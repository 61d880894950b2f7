import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realFiles, testFileGroups, withoutSample } from "../../../docs/test-files.ts";
import { engineIds } from "../../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { extensionOf, type FormatId } from "../../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";

/** The list of test files in the documentation is complete and true. */

const sources = new Set(planRoutes(new Set(engineIds)).all.map(({ from }) => from));
const sampled = testFileGroups.flatMap(({ formats }) => formats);
const corpus = process.env.ANYFORM_CORPUS ?? "";

test("every source format is in one group of test files, or in the list of those without a sample", () => {
  expect([...sampled, ...withoutSample].toSorted()).toEqual([...sources].toSorted());
});

test("the formats of the groups have samples, and the others do not", () => {
  const hasSample = (format: FormatId): boolean =>
    existsSync(join(import.meta.dirname, `../../fixtures/sample.${extensionOf(format)}`));
  expect(sampled.filter((format) => !hasSample(format))).toEqual([]);
  expect(withoutSample.filter(hasSample)).toEqual([]);
});

describe.skipIf(corpus === "")("public files (set ANYFORM_CORPUS to their folder)", () => {
  const manifest = corpus === "" ? "" : readFileSync(join(corpus, "MANIFEST.tsv"), "utf8");
  const rows = new Map(manifest.split("\n").map((line) => [line.split("\t")[0] ?? "", line.split("\t")]));

  test.each(Object.entries(realFiles) as [FormatId, string][])(
    "%s: %s is valid, licensed and detected",
    (format, file) => {
      const [, , source = "", license = "", kind] = rows.get(file) ?? [];
      expect({ kind, isLicensed: source !== "" && license !== "" }).toEqual({ kind: "valid", isLicensed: true });
      const bytes = readFileSync(join(corpus, file));
      const hints = { tail: bytes.subarray(-DETECTION_BYTES), filename: file };
      expect(detectFormat(bytes.subarray(0, DETECTION_BYTES), hints)).toBe(format);
    },
  );
});
