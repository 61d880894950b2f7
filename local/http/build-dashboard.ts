import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../files/package-folder.ts";
import { replaceFolder } from "../files/replace-folder.ts";
import { type SourceFile, type SourceFolder, sourceFiles } from "../files/source-files.ts";

/** The project's folder. */
const ROOT = join(import.meta.dirname, "../..");

const builtIn = (root: string): string => join(root, "dist/dashboard");

/** The folder that the pages are built into and served from. */
export const BUILT_PAGES = builtIn(ROOT);

/** The hash of the built sources, stored with the build. */
const stampIn = (root: string): string => `${builtIn(root)}.sources`;

/** A build takes about 3 s. A hanging build must not prevent the service from starting. */
const BUILD_MS_MAX = 120_000;

/** Maximum characters shown of a failed build's output. */
const SHOWN_CHARACTERS_MAX = 2_000;

export type BuildOutcome =
  /** Built now. */
  | { readonly outcome: "built"; readonly milliseconds: number }
  /** The existing build is up to date, or the sources or the build tool are not installed, as in the image. */
  | { readonly outcome: "kept" }
  /** The output of the build tool. An existing older build is kept. */
  | { readonly outcome: "failed"; readonly output: string };

/**
 * Builds the pages, unless the existing build is up to date.
 *
 * @param root the folder that contains `dashboard/` and `dist/dashboard/`. @default the project's
 */
export const buildDashboard = async (root = ROOT): Promise<BuildOutcome> => {
  const builder = packageFolder("vite");
  if (builder === undefined || !existsSync(join(root, "dashboard/index.html"))) {
    return { outcome: "kept" };
  }
  const found = sourceFiles(root, SOURCES);
  const state = stateOf(root, found);
  const stamp = existsSync(join(builtIn(root), "index.html")) ? readStamp(root) : undefined;
  if (stamp?.state === state) {
    return { outcome: "kept" };
  }
  const hash = hashOf(root, found);
  if (stamp?.hash === hash) {
    writeStamp(root, { hash, state });
    return { outcome: "kept" };
  }
  const start = performance.now();
  // Several starts can build at once, so each builds into a separate folder and then moves it into place.
  const fresh = `${builtIn(root)}-${randomUUID()}`;
  try {
    const output = await run([join(builder, "bin/vite.js"), "build", "dashboard", "--outDir", fresh], root);
    if (output !== undefined) {
      return { outcome: "failed", output };
    }
    await replaceFolder(fresh, builtIn(root));
    writeStamp(root, { hash, state });
    return { outcome: "built", milliseconds: Math.round(performance.now() - start) };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
};

/** Of the sources of a build. */
interface Stamp {
  /** Of their content. */
  readonly hash: string;
  /** Of their sizes and times, which takes a tenth of the time. If it is the same, so is the content. */
  readonly state: string;
}

const readStamp = (root: string): Stamp | undefined => {
  const [hash, state] = existsSync(stampIn(root)) ? readFileSync(stampIn(root), "utf8").split("\n") : [];
  return hash && state ? { hash, state } : undefined;
};

const writeStamp = (root: string, { hash, state }: Stamp): void => writeFileSync(stampIn(root), `${hash}\n${state}\n`);

/** The pages, and the client, the tables and the guides that they use. */
const SOURCES: readonly SourceFolder[] = [
  ["dashboard", ""],
  ["client", ".ts"],
  ["functions/domain", ".ts"],
  ["docs", ".md"],
];

const stateOf = (root: string, sources: readonly SourceFile[]): string =>
  createHash("sha256")
    .update(JSON.stringify([root, sources]))
    .digest("hex");

const hashOf = (root: string, sources: readonly SourceFile[]): string => {
  const hash = createHash("sha256");
  for (const { path } of sources) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
};

/**
 * Builds in a separate process, which releases the builder's 200 MB. @returns undefined on success, otherwise its
 * output
 */
const run = (args: readonly string[], root: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      // Vite would keep compiled code in the folder for temporary files.
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1", NODE_ENV: "production", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: BUILD_MS_MAX,
    });
    let output = "";
    const append = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-SHOWN_CHARACTERS_MAX);
    };
    child.stdout.on("data", append);
    child.stderr.on("data", append);
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? undefined : `${output}\n${signal ?? ""}`.trim()));
  });
