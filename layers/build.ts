import { execFileSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";

/**
 * Builds the Lambda layers: what a bundler cannot take. A folder here is one layer, named like the engine that needs
 * it, with an exact `package.json` and its lock file; `dist/layers/<engine>` becomes what Lambda unpacks into `/opt`.
 * Works on any machine with npm, without Docker; a layer whose lock file did not change is left as it is.
 */

/** Milliseconds that npm may take for one layer: about 15 MB from the registry. */
const INSTALL_MS_MAX = 5 * 60_000;

/** `e_machine` of an ELF header: 64-bit Arm (ELF for the Arm 64-bit Architecture, 5.1). */
const ELF_MACHINE_ARM64 = 183;

/** What a package brings and no function reads, as globs under `node_modules`. */
const unused: Readonly<Record<string, readonly string[]>> = {
  magick: ["@imagemagick/magick-wasm/dist/x64", "@imagemagick/magick-wasm/dist/*.d.ts"],
};

/** @returns the layers of this folder */
export const layerNames = (): readonly string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
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
  const target = join(dist, name);
  if (isCurrent(source, target)) {
    return false;
  }
  const draft = join(dist, `.${name}-${process.pid}`);
  try {
    install(source, join(draft, "nodejs"));
    for (const path of globSync(unused[name] ?? [], { cwd: join(draft, "nodejs/node_modules") })) {
      rmSync(join(draft, "nodejs/node_modules", path), { recursive: true });
    }
    checkNativeFiles(draft);
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return true;
};

/** @returns the native files below the folder, by path, with the processor of each as ELF numbers it */
export const nativeFiles = (folder: string): ReadonlyMap<string, number> =>
  new Map(globSync("**/*.{node,so,so.*}", { cwd: folder }).map((path) => [path, elfMachine(join(folder, path))]));

const isCurrent = (source: string, target: string): boolean => {
  const built = join(target, "nodejs/package-lock.json");
  return existsSync(built) && readFileSync(built).equals(readFileSync(join(source, "package-lock.json")));
};

/** Packages for Lambda's processor whatever this machine's is, without scripts: prebuilt files need none. */
const install = (source: string, folder: string): void => {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    cpSync(join(source, file), join(folder, file));
  }
  const platform = ["--cpu=arm64", "--os=linux", "--libc=glibc"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", ...platform, ...quiet, "--ignore-scripts", "--bin-links=false"], {
    cwd: folder,
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
