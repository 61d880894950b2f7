import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Options } from "../functions/domain/conversions/options.ts";
import { qpdfEngine } from "../functions/engines/pdf/qpdf.ts";
import { printTable, quantile } from "./support/figures.ts";
import { ssim } from "./support/likeness.ts";

/**
 * Changes of PDFs against other tools. `node bench papers FILE...`: the size and the likeness of compressed PDFs next to
 * those of Ghostscript with the same name of preset. `node bench papers --time FILE...`: CPU time of merging, encrypting and
 * compressing next to that of qpdf, in alternating rounds.
 */

const files = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const folder = mkdtempSync(join(tmpdir(), "bench-papers-"));

/** Pages of each PDF that are compared, and their resolution. */
const PAGES = 4;
const DPI = 100;

const changed = async (input: string, options: Options, further: readonly string[] = []): Promise<string> => {
  const place = mkdtempSync(join(folder, "step-"));
  const output = join(place, "result.pdf");
  await qpdfEngine.convert({
    ...{ input, output, from: "pdf", to: "pdf", options, optionFiles: {}, progress: () => {} },
    folder: place,
    further: further.map((path) => ({ path, from: "pdf" as const })),
  });
  return output;
};

const byGhostscript = (input: string, preset: string): string => {
  const output = join(mkdtempSync(join(folder, "gs-")), "result.pdf");
  const quiet = ["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-dCompatibilityLevel=1.7"];
  execFileSync("gs", [...quiet, `-dPDFSETTINGS=/${preset}`, `-sOutputFile=${output}`, input], { stdio: "pipe" });
  return output;
};

/** @returns the pages as images, in order */
const drawn = (path: string): string[] => {
  const place = mkdtempSync(join(folder, "pages-"));
  execFileSync("pdftoppm", ["-r", String(DPI), "-l", String(PAGES), "-png", path, join(place, "page")]);
  return readdirSync(place)
    .sort()
    .map((name) => join(place, name));
};

/** @returns the mean likeness of the pages; 1: equal */
const likeness = async (source: readonly string[], path: string): Promise<number> => {
  const pages = drawn(path);
  const all = await Promise.all(source.map((page, index) => ssim(page, pages[index] ?? "")));
  return all.reduce((sum, one) => sum + one, 0) / all.length;
};

const kilobytes = (path: string): string => (statSync(path).size / 1_000).toFixed(0);

const compress = async (preset: "ebook" | "print" | "screen"): Promise<void> => {
  const rows: string[][] = [
    ["file", "source kB", `${preset} kB`, "SSIM", `gs /${preset === "print" ? "printer" : preset} kB`, "SSIM"],
  ];
  for (const file of files) {
    const pages = drawn(file);
    const ours = await changed(file, { compress: preset });
    const theirs = byGhostscript(file, preset === "print" ? "printer" : preset);
    const alike = await Promise.all([likeness(pages, ours), likeness(pages, theirs)]);
    const [own = "", other = ""] = alike.map((value) => value.toFixed(4));
    rows.push([basename(file), kilobytes(file), kilobytes(ours), own, kilobytes(theirs), other]);
  }
  printTable(rows);
};

const ROUNDS = 7;

/** @returns the CPU seconds of a run, its programs included */
const cpuOf = async (run: () => Promise<unknown> | unknown): Promise<number> => {
  const before = cpuSeconds();
  await run();
  return cpuSeconds() - before;
};

/** User and system time of this process and of its ended programs, in seconds (proc(5), `stat`, fields 14 to 17). */
const cpuSeconds = (): number => {
  const own = process.cpuUsage();
  const fields =
    execFileSync("cat", [`/proc/${process.pid}/stat`], { encoding: "utf8" })
      .split(") ")[1]
      ?.split(" ") ?? [];
  return (own.user + own.system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
};

const bare = (...commandLine: readonly string[]): void => {
  const output = join(mkdtempSync(join(folder, "qpdf-")), "result.pdf");
  try {
    execFileSync("qpdf", ["--object-streams=generate", ...commandLine, output], { stdio: "pipe" });
  } catch (error) {
    // Exit code 3: the file was read with warnings.
    if (!(error instanceof Error && "status" in error && error.status === 3)) {
      throw error;
    }
  }
};

const time = async (): Promise<void> => {
  const rows: string[][] = [["file", "change", "ours CPU s", "qpdf CPU s", "ratio"]];
  for (const file of files) {
    const shrink = ["--recompress-flate", "--compression-level=9", "--remove-unreferenced-resources=yes"];
    const cases = [
      [
        "encrypt",
        () => changed(file, { user_password: "open" }),
        () => bare(file, "--encrypt", "open", "owner", "256", "--"),
      ],
      ["merge", () => changed(file, { linearize: false }, [file]), () => bare("--empty", "--pages", file, file, "--")],
      ["rotate", () => changed(file, { rotate: 90 }), () => bare(file, "--rotate=+90")],
      ["compress", () => changed(file, { compress: "ebook" }), () => bare(file, ...shrink)],
    ] as const;
    for (const [name, ours, theirs] of cases) {
      const [own, other]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        own.push(await cpuOf(ours));
        other.push(await cpuOf(theirs));
      }
      const [a, b] = [quantile(own, 0.5), quantile(other, 0.5)];
      rows.push([basename(file), name, a.toFixed(2), b.toFixed(2), (a / b).toFixed(2)]);
    }
  }
  printTable(rows);
};

mkdirSync(folder, { recursive: true });
try {
  if (files.length === 0) {
    console.error("Usage: node bench papers [--time | --screen | --print] FILE...");
    process.exitCode = 2;
  } else if (process.argv.includes("--time")) {
    await time();
  } else {
    await compress(process.argv.includes("--screen") ? "screen" : process.argv.includes("--print") ? "print" : "ebook");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
