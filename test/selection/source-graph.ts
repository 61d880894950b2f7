import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { withoutSample } from "../../docs/test-files.ts";
import { engineIds, engineOf } from "../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { type FormatId, formatOf } from "../../functions/domain/formats/formats.ts";
import { sampleFor } from "../engines/support/fixtures.ts";
import { importsIn, type Needs } from "./imports.ts";
import type { Pair, SourceGraph } from "./select-pairs.ts";

/** The source graph of this checkout: its pairs, and the modules that engines and checks depend on. */

export const ROOT = join(import.meta.dirname, "../..");
export const PLAN = "functions/domain/conversions/plan.ts";
export const FORMATS = "functions/domain/formats/formats.ts";
const ENGINES = "functions/engines/index.ts";
const CORE = "functions/engines/core";
const CONTRACT = "test/engines/contract";

/** Tables of all formats, conversions and engines: they are compared row by row. */
export const TABLES: ReadonlySet<string> = new Set([PLAN, FORMATS, ENGINES]);

const needsOf = importsIn(ROOT, TABLES);

/** @returns every pair that all engines together convert, of formats with a sample */
export const pairsHere = (): readonly Pair[] =>
  planRoutes(new Set(engineIds))
    .all.filter(({ from }) => !withoutSample.includes(from))
    .map(({ from, to, steps }) => {
      const path = sampleFor(from, to);
      const engines = steps.map(({ engine }) => engine);
      return { from, to, engines, sample: relative(ROOT, path), sampleBytes: statSync(path).size };
    });

/** @returns the modules that determine conversions, and those that define formats */
export const tableModules = (): { readonly plan: Needs; readonly formats: Needs } => ({
  plan: importsIn(ROOT, new Set())(PLAN),
  formats: importsIn(ROOT, new Set())(FORMATS),
});

/** @returns what each engine and each check depends on; every engine also depends on the converter process in `core` */
export const sourceGraph = (): SourceGraph => {
  const modules = new Map(
    [...text(ENGINES).matchAll(/^\s*"?([\w-]+)"?: async \(\) => \(await import\("\.\/([^"]+)"\)/gm)].map(
      ([, id = "", path = ""]) => [id, `functions/engines/${path}`],
    ),
  );
  const core = needsOf(...modulesIn(CORE));
  const engines = new Map(
    engineIds.map((id) => {
      const path = modules.get(id);
      if (path === undefined) {
        throw new Error(`${ENGINES} has no readable line for the engine ${id}.`);
      }
      const { files, packages } = needsOf(path);
      return [
        id as string,
        {
          files: files.union(core.files),
          packages: packages.union(new Set(engineOf(id).packages)).union(core.packages),
        },
      ];
    }),
  );
  const checks = new Map(
    modulesIn(CONTRACT).flatMap((path) =>
      [...text(path).matchAll(/\bcontract\("(\w+)"/g)].map(([, family = ""]) => [family, needsOf(path)] as const),
    ),
  );
  return {
    engineNeeds: (engine) => engines.get(engine) ?? NOTHING,
    checkNeeds: (to) => checks.get(formatOf(to as FormatId).family) ?? NOTHING,
  };
};

const NOTHING: Needs = { files: new Set(), packages: new Set() };

const text = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const modulesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
