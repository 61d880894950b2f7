import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { changedFormats } from "./format-rows.ts";
import { LONG } from "./order.ts";
import { changedPackages } from "./packages.ts";
import { affectedPairs, keyOf, standingPairs, type Touched } from "./select-pairs.ts";
import { pairsHere, ROOT, sourceGraph } from "./source-graph.ts";
import { engineTests, omittedTests, unaffectedTests } from "./test-files.ts";
import { touchedBy } from "./touched.ts";

const NOTHING: Touched = {
  files: new Set(),
  folders: new Set(),
  packages: new Set(),
  formats: new Set(),
  pairs: new Set(),
};
const pairs = pairsHere();
const graph = sourceGraph();
const affected = (touched: Partial<Touched>) => affectedPairs(pairs, { ...NOTHING, ...touched }, graph);
const enginesOf = (engine: string) => pairs.filter(({ engines }) => engines.includes(engine)).map(keyOf);

describe("the pairs that a change selects", () => {
  test("include exactly the pairs of an engine with a changed file or package", () => {
    const fonts = enginesOf("fonts");
    expect(fonts.length).toBeGreaterThan(10);
    expect(affected({ files: new Set(["functions/engines/fonts/fonts.ts"]) }).map(keyOf)).toEqual(fonts);
    expect(affected({ packages: new Set(["fontverter"]) }).map(keyOf)).toEqual(fonts);
  });

  test("include all pairs of an engine with a changed program in another language", () => {
    const found = affected({ folders: new Set(["functions/engines/documents/soffice"]) }).map(keyOf);
    expect(found).toEqual(expect.arrayContaining(enginesOf("soffice")));
    expect(found.length).toBeLessThan(pairs.length);
  });

  test.each([
    "functions/engines/core/run.ts",
    "functions/domain/errors.ts",
    "test/engines/contract/contract.ts",
    "functions/engines/index.ts",
  ])("include all pairs if every engine or check depends on %s", (path) => {
    expect(affected({ files: new Set([path]) })).toHaveLength(pairs.length);
  });

  test("include those of a changed fixture, check, format or conversion", () => {
    const [first] = pairs;
    const sample = first?.sample ?? "";
    expect(affected({ files: new Set([sample]) })).toEqual(pairs.filter((pair) => pair.sample === sample));
    const checked = affected({ files: new Set(["test/engines/contract/mail.test.ts"]) }).map(({ to }) => to);
    expect(new Set(checked)).toEqual(new Set(["eml", "mbox", "ics", "vcf"]));
    const png = affected({ formats: new Set(["png"]) });
    expect(png).toEqual(pairs.filter(({ from, to }) => from === "png" || to === "png"));
    expect(affected({ pairs: new Set(["png jpg"]) }).map(keyOf)).toEqual(["png jpg"]);
  });

  test("are empty for a change of documentation", () => {
    expect(affected({ files: new Set(["README.md", "docs/runbook.md"]) })).toEqual([]);
  });
});

describe("the tests of engines that a change selects", () => {
  const all = engineTests();
  const selected = (touched: Partial<Touched>) => {
    const omitted = unaffectedTests(all, { ...NOTHING, ...touched });
    return all.filter((path) => !omitted.includes(path));
  };

  test("are those of the family of a changed engine, and those of all families", () => {
    const found = selected({ files: new Set(["functions/engines/fonts/fonts.ts"]) });
    expect(found).toContain("test/engines/fonts/fonts.test.ts");
    expect(found).toContain("test/engines/hostile.test.ts");
    expect(found).not.toContain("test/engines/media/ffmpeg.test.ts");
  });

  test("are all tests that depend on a changed package, row, table or fixture", () => {
    expect(selected({ packages: new Set(["sharp"]) })).toContain("test/engines/pictures/merges.test.ts");
    for (const path of ["test/fixtures/sample.png", "functions/engines/core/run.ts", "layers/build.ts"]) {
      expect(selected({ files: new Set([path]) })).toEqual(all);
    }
    expect(selected({ formats: new Set(["png"]) })).toEqual(all);
    expect(selected({ files: new Set(["functions/domain/errors.ts"]) }).length).toBeGreaterThan(all.length * 0.9);
  });

  test("are a changed test alone, and none for a change of documentation", () => {
    const [first = ""] = all;
    expect(selected({ files: new Set([first]) })).toContain(first);
    expect(selected({ files: new Set(["README.md"]) })).toEqual([]);
  });

  test("are all in the complete run", () => {
    expect(omittedTests(true)).toEqual([]);
  });
});

test("the representative pairs include each engine and each target, and are always the same", () => {
  const standing = standingPairs(pairs);
  expect(new Set(standing.map(({ to }) => to))).toEqual(new Set(pairs.map(({ to }) => to)));
  const used = engineIds.filter((id) => pairs.some(({ engines }) => engines.includes(id)));
  expect(used.filter((id) => !standing.some(({ engines }) => engines.includes(id)))).toEqual([]);
  expect(standingPairs(pairs.toReversed())).toEqual(standing);
  expect(standing.length).toBeLessThan(pairs.length / 10);
});

describe("what a change affects", () => {
  test.each(["vitest.config.ts", "layers/image/packages.txt"])("is everything if %s changed", (path) => {
    expect(touchedBy({ base: "", commit: "HEAD", files: [path] })).toContain(path);
  });

  test("includes a package and its dependents", () => {
    const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
    expect([...changedPackages(lock, lock)]).toEqual([]);
    const other = lock.replace(/("node_modules\/fontverter": \{\s+"version": ")[^"]+/, "$10.0.0");
    expect([...changedPackages(lock, other)]).toEqual(["fontverter"]);
    const woff = lock.replace(/("node_modules\/wawoff2": \{\s+"version": ")[^"]+/, "$10.0.0");
    expect([...changedPackages(lock, woff)]).toEqual(expect.arrayContaining(["wawoff2", "fontverter"]));
  });

  test("is a row of a format table, or all rows if the text around them changed", () => {
    const rows = 'const a = 1;\nexport const x = [\n  { id: "one", n: 1 },\n  { id: "two", n: 2 },\n] as const;\n';
    expect(changedFormats(rows, rows.replace("n: 2", "n: 3"))).toEqual(["two"]);
    expect(changedFormats(rows, rows.replace("a = 1", "a = 2"))).toBeUndefined();
    expect(changedFormats(rows, `${rows}const b = 1;\n`)).toBeUndefined();
  });
});

test("the files that start first exist", () => {
  expect(LONG.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
