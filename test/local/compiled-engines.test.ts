import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compileEngines } from "../../local/engines/compiled-engines.ts";
import { loadsCompiler } from "../support/loads-compiler.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const cache = temporaryFolder();
afterAll(() => cache.remove());

const OPTIONS = ["--expose-gc"];

test("compiles the sources of converters once, and again when the options of converters change", async () => {
  expect(await compileEngines(OPTIONS, cache.path)).toBe(true);
  const stamp = readFileSync(join(cache.path, "engines.stamp"), "utf8");
  const files = () => readdirSync(cache.path, { recursive: true }).length;
  const compiled = files();
  expect(compiled).toBeGreaterThan(100);
  expect(await compileEngines(OPTIONS, cache.path)).toBe(false);
  writeFileSync(join(cache.path, "engines.stamp"), "of other sources");
  expect(await compileEngines(OPTIONS, cache.path)).toBe(true);
  expect([readFileSync(join(cache.path, "engines.stamp"), "utf8"), files()]).toEqual([stamp, compiled]);
}, 900_000);

/** What the check of the sandbox tries. */
const NOTHING = JSON.stringify({ paths: [], port: 0, service: { pid: 1, startedAt: "" } });

test.each([
  ["a converter", OPTIONS, "./functions/engines/core/convert.ts"],
  ["the check of the sandbox", [], "./functions/engines/core/sandbox/probe.ts"],
])("%s reads the compiled sources and does not load the compiler", (_, options, program) => {
  expect(loadsCompiler(options, program, {}, NOTHING)).toBe(true);
  expect(loadsCompiler(options, program, { NODE_COMPILE_CACHE: cache.path }, NOTHING)).toBe(false);
});
