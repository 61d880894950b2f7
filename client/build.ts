import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** `node client/build.ts [FOLDER]`: makes the package that is published, plain JavaScript with types, in client/dist. */

const here = import.meta.dirname;
const target = process.argv[2] ?? join(here, "dist");

rmSync(target, { recursive: true, force: true });
const compiler = join(here, "../node_modules/.bin/tsc");
execFileSync(compiler, ["--project", join(here, "tsconfig.json"), "--outDir", target], { stdio: "inherit" });
for (const name of ["package.json", "README.md", "../LICENSE"]) {
  copyFileSync(join(here, name), join(target, name.replace("../", "")));
}
chmodSync(join(target, "command.js"), 0o755);
