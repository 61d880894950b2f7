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
 * Builds the Lambda layers: what a bundler cannot take, or should not, because only few jobs need it. A folder here is
 * one layer, but for `image/`: an exact `package.json` with its lock file, and files that go into the layer as they are. `dist/layers/<name>` is
 * what Lambda unpacks into `/opt`. It works on any machine with npm, without Docker, and only when something changed.
 */

/** Milliseconds that npm may take for one layer: about 60 MB from the registry. */
const INSTALL_MS_MAX = 5 * 60_000;

/** `e_machine` of an ELF header: 64-bit Arm (ELF for the Arm 64-bit Architecture, 5.1). */
const ELF_MACHINE_ARM64 = 183;

/** What a package brings and no function reads, as globs under `node_modules`. */
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
    // In Node tesseract.js takes the whole cores, whichever recogniser is asked for, and reads their WebAssembly as files.
    "tesseract.js-core/{*-lstm*,*.wasm.js}",
    "@tesseract.js-data/eng/4.0.0",
    "tesseract.js/dist",
  ],
  texts: ["docx/dist/*.{iife,umd}*", "@mixmark-io/domino/test", "@e965/xlsx/dist/xlsx*", "@types", "**/*.map"],
  tables: ["gdal3.js/dist/package/*.{js.map,html}"],
};

/** @returns the layers of this folder; the container image beside them brings its packages itself */
export const layerNames = (): readonly string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, "package.json")))
    .map((entry) => entry.name)
    .sort();

/**
 * Builds one layer, whole or not at all.
 *
 * @returns whether there was anything to do
 * @throws when npm fails, and when a native file is not for arm64
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

/** Takes out of the packages of a layer what no function reads. */
export const removeUnused = (name: string, modules: string): void => {
  for (const path of globSync(unused[name] ?? [], { cwd: modules })) {
    // What lies in a folder that has just gone is gone, too.
    rmSync(join(modules, path), { recursive: true, force: true });
  }
};

/** @returns the native files below the folder, by path, with the processor of each as ELF numbers it */
export const nativeFiles = (folder: string): ReadonlyMap<string, number> =>
  new Map(globSync("**/*.{node,so,so.*}", { cwd: folder }).map((path) => [path, elfMachine(join(folder, path))]));

/** @returns the SHA-256 of all that a layer is made from, this program included */
const digestOf = (source: string): string => {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  for (const file of readdirSync(source).sort()) {
    hash.update(`\n${file}\n`).update(readFileSync(join(source, file)));
  }
  return hash.digest("hex");
};

/** Packages for Lambda's processor whatever this machine's is, without scripts: prebuilt files need none. */
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
      throw new Error(`${path} is for processor ${machine} of the ELF list, not for arm64 (${ELF_MACHINE_ARM64}).`);
    }
  }
};

/** @returns the processor that a file is made for, -1 when it is no ELF file */
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
