import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { inject } from "vitest";
import { madeOnce } from "./made-once.ts";

/** The code of every function, as deployed. */
export interface Bundled {
  readonly folder: string;
  readonly outputs: Metafile["outputs"];
}

const BUILD_MS_MAX = 400_000;

/** Bundles every function once for all test files of a run, which must not change the folder. */
export const bundledOnce = (): Bundled => {
  const folder = join(inject("shared"), "functions");
  const program = join(import.meta.dirname, "bundle-process.ts");
  const outputs = madeOnce(`${folder}.json`, () => {
    const file = `${folder}.outputs`;
    execFileSync(process.execPath, [program, folder, file], { timeout: BUILD_MS_MAX });
    return readFileSync(file, "utf8");
  });
  return { folder, outputs: JSON.parse(outputs) };
};
