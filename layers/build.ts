import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  cpSync,
  existsSync,
  globSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/**
 * Builds the Lambda layers: packages that cannot be bundled, or should not be because only few jobs need them. Each
 * folder here except `image/` is a layer: a `package.json` with exact versions, its lock file, and files that are copied
 * unchanged. Lambda unpacks `dist/layers/<name>` into `/opt`. Works on any machine with npm, without Docker, and only
 * rebuilds after changes.
 */

/** Timeout of npm for one layer in milliseconds: about 60 MB from the registry. */
const INSTALL_MS_MAX = 5 * 60_000;

/** `e_machine` of an ELF header: 64-bit Arm (ELF for the Arm 64-bit Architecture, 5.1). */
const ELF_MACHINE_ARM64 = 183;

/** Files of packages that no function reads, as globs under `node_modules`. */
const unused: Readonly<Record<string, readonly string[]>> = {
  pictures: [
    "@imagemagick/magick-wasm/dist/x64",
    "@imagemagick/magick-wasm/dist/*.d.ts",
    "@expo-google-fonts/noto-sans-sc/{1,2,3,5,6,7,8,9}00*",
    "dejavu-fonts-ttf/ttf/*{Condensed,ExtraLight,MathTeX}*",
    "dejavu-fonts-ttf/{NEWS,status.txt,langcover.txt,unicover.txt}",
  ],
  papers: [
    "@cantoo/pdf-lib/{dist,src,es}",
    "@hyzyla/pdfium/dist/{pdfium.wasm.base64*,index.browser*,index.esm.base64*,index.esm.cdn*}",
  ],
  texts: ["docx/dist/*.{iife,umd}*", "@e965/xlsx/dist/xlsx*", "@types", "**/*.map"],
  tables: ["gdal3.js/dist/package/*.{js.map,html}"],
};

/** @returns the layers of this folder; the container image installs its packages itself */
export const layerNames = (): readonly string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, "package.json")))
    .map((entry) => entry.name)
    .sort();

/**
 * Builds one layer atomically.
 *
 * @returns whether the layer was rebuilt
 * @throws if npm fails, or a native file is not for arm64
 */
export const buildLayer = (name: string, dist: string): boolean => {
  const source = join(import.meta.dirname, name);
  const [target, draft, stamp] = [
    join(dist, name),
    join(dist, `.${name}-${process.pid}`),
    join(dist, `${name}.sha256`),
  ];
  const digest = digestOf(source);
  if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) {
    return false;
  }
  try {
    fill(draft, source);
    removeUnused(name, join(draft, "nodejs/node_modules"));
    checkNativeFiles(draft);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
    writeFileSync(stamp, digest);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return true;
};

/** Removes unused files from the packages of a layer. */
export const removeUnused = (name: string, modules: string): void => {
  for (const path of globSync(unused[name] ?? [], { cwd: modules })) {
    // The file may be in a folder that was just removed.
    rmSync(join(modules, path), { recursive: true, force: true });
  }
};

/** @returns the native files below the folder, by path, with the processor of each as ELF numbers it */
export const nativeFiles = (folder: string): ReadonlyMap<string, number> =>
  new Map(globSync("**/*.{node,so,so.*}", { cwd: folder }).map((path) => [path, elfMachine(join(folder, path))]));

/** @returns the SHA-256 of all inputs of a layer, including this program */
const digestOf = (source: string): string => {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  for (const file of readdirSync(source).sort()) {
    hash.update(`\n${file}\n`).update(readFileSync(join(source, file)));
  }
  return hash.digest("hex");
};

/** Installs packages for Lambda's processor, without install scripts: prebuilt files do not need them. */
const fill = (draft: string, source: string): void => {
  for (const file of readdirSync(source)) {
    cpSync(join(source, file), join(draft, file.startsWith("package") ? "nodejs" : ".", file));
  }
  const platform = ["--cpu=arm64", "--os=linux", "--libc=glibc"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", ...platform, ...quiet, "--ignore-scripts", "--bin-links=false"], {
    cwd: join(draft, "nodejs"),
    stdio: ["ignore", "ignore", "inherit"],
    timeout: INSTALL_MS_MAX,
  });
};

const checkNativeFiles = (folder: string): void => {
  for (const [path, machine] of nativeFiles(folder)) {
    if (machine !== ELF_MACHINE_ARM64) {
      throw new Error(`${path} is built for ELF machine ${machine}, not for arm64 (${ELF_MACHINE_ARM64}).`);
    }
  }
};

/** @returns the ELF machine of a file; -1 if it is not an ELF file */
const elfMachine = (path: string): number => {
  const header = Buffer.alloc(20);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header.toString("latin1", 0, 4) === "\u007fELF" ? header.readUInt16LE(18) : -1;
};

if (import.meta.main) {
  const dist = join(import.meta.dirname, "../dist/layers");
  for (const name of layerNames()) {
    console.log(`layer ${name}: ${buildLayer(name, dist) ? "built" : "up to date"}`);
  }
}
