import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compileEngines } from "../../local/engines/compiled-engines.ts";
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

test("a converter reads the compiled sources and does not load the compiler", () => {
  const script = [
    'await import("./functions/engines/core/convert.ts");',
    'console.log(process.moduleLoadList.some((name) => name.includes("amaro")));',
  ].join("\n");
  const loads = (env: Record<string, string>) =>
    spawnSync(process.execPath, [...OPTIONS, "--input-type=module", "-e", script], { env })
      .stdout.toString()
      .trim();
  expect(loads({})).toBe("true");
  expect(loads({ NODE_COMPILE_CACHE: cache.path })).toBe("false");
});
