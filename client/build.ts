import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

/** `node client/build.ts [FOLDER]`: builds the published package, plain JavaScript with types, into client/dist. */

const here = import.meta.dirname;
const target = process.argv[2] ?? join(here, "dist");

rmSync(target, { recursive: true, force: true });
const compiler = join(here, "../node_modules/.bin/tsc");
execFileSync(compiler, ["--project", join(here, "tsconfig.json"), "--outDir", target], { stdio: "inherit" });
// The package has no dependencies: the parts of @noble/hashes (MIT) that it uses are bundled, with their license.
buildSync({
  entryPoints: [join(here, "transfer/sha256.ts")],
  outfile: join(target, "transfer/sha256.js"),
  allowOverwrite: true,
  bundle: true,
  format: "esm",
  target: "es2022",
  legalComments: "inline",
});
copyFileSync(join(here, "../node_modules/@noble/hashes/LICENSE"), join(target, "LICENSE.noble-hashes"));
for (const name of ["package.json", "README.md", "../LICENSE"]) {
  copyFileSync(join(here, name), join(target, name.replace("../", "")));
}
chmodSync(join(target, "command.js"), 0o755);
