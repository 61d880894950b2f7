import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Records which modules a process loads. */
export interface RecordedModules {
  /** The path of a module for Node's option `--import`. */
  readonly recorder: string;
  /** @returns the names of Node's modules and the URLs of all others, after the process has ended */
  names(): readonly string[];
}

/** @param folder for the recording */
export const recordedModules = (folder: string): RecordedModules => {
  const recorder = join(folder, "recorder.mjs");
  const names = join(folder, "names");
  writeFileSync(
    recorder,
    `import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    process.once("exit", () =>
      process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(names)}, [...process.moduleLoadList, ...urls].join("\\n")));`,
  );
  return { recorder, names: () => readFileSync(names, "utf8").split("\n") };
};
