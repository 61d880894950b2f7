import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Programs that `npm run engines` does not install, and that `.ci/run` installs after its first step. */
const PROGRAMS = [
  ...["avifdec", "brotli", "bsdtar", "bzip2", "cabextract", "compare", "convert", "exiftool", "file", "gdalinfo"],
  ...["groff", "identify", "lz4", "montage", "ogr2ogr", "ogrinfo", "sqlite3", "unzip", "vips", "xmllint", "xz", "zip"],
  "zstd",
];

test("tests start comparison tools only after they have asked whether they are installed", () => {
  const started = new RegExp(`\\b(?:execFile|execFileSync|run|spawn|spawnSync)\\(\\s*"(${PROGRAMS.join("|")})"`, "g");
  const paths = globSync("**/*.ts", { cwd: import.meta.dirname, exclude: ["fixtures/**"] });
  const unasked = paths.flatMap((path) => {
    const code = readFileSync(join(import.meta.dirname, path), "utf8");
    return [...code.matchAll(started)]
      .map(([, program]) => program)
      .filter((program) => !code.includes(`withTool("${program}")`))
      .map((program) => `${path}: ${program}`);
  });
  expect(unasked).toEqual([]);
});
