import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONVERTER_NODE_OPTIONS } from "../../functions/engines/core/converter-process.ts";
import { compileEngines } from "../../local/engines/compiled-engines.ts";

/**
 * Runs during the image build: fills Node's compile cache with the modules of a start and of conversions. V8 compiles for
 * its options, so each kind of process has its own part of the cache.
 */

const ROOT = join(import.meta.dirname, "../..");

const load = (options: readonly string[], paths: readonly string[]): void => {
  const modules = paths.map((path) => `await import(${JSON.stringify(join(ROOT, path))});`);
  const script = [...modules, "process.exit();"].join("\n");
  execFileSync(process.execPath, [...options, "--input-type=module", "-e", script], { stdio: "inherit" });
};

/** The options of `npm start`, which `start.sh` uses too. */
const startOptions = (): readonly string[] => {
  const { scripts }: { scripts: { start: string } } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
};

const lambda = ["layers/image/runtime.ts", "functions/events/convert-file.ts", "functions/events/open-page.ts"];
const bundled = "dist/service/service.mjs";
const service = existsSync(join(ROOT, bundled)) ? bundled : "local/service.ts";
load([], lambda);
load(startOptions(), ["local/bundle/service-bundle.ts", service]);
await compileEngines(CONVERTER_NODE_OPTIONS);
