import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { checkByQpdf } from "../../engines/support/documents/pdf.ts";

/** What programs that did not write the results say of them. */

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** @returns what pdfinfo lists, of each page too, after qpdf found no fault */
export const paperInfo = (path: string): string => {
  checkByQpdf(path);
  return run("pdfinfo", "-box", "-f", "1", "-l", "9", path);
};

export const pageCount = (path: string): number => Number(/^Pages:\s+(\d+)/m.exec(paperInfo(path))?.[1]);

export const paperText = (path: string): string => run("pdftotext", "-layout", path, "-");

export const paperImages = (path: string): number => run("pdfimages", "-list", path).trim().split("\n").length - 2;

export const paperJson = (path: string, key: string): string => run("qpdf", "--json", `--json-key=${key}`, path);

export const attachments = (path: string): string => run("qpdf", "--list-attachments", path);

export const encryption = (path: string, password: string): string =>
  run("qpdf", "--show-encryption", `--password=${password}`, path);

export const paperMetadata = (path: string): string => run("pdfinfo", "-meta", path);

interface Probed {
  readonly format: { readonly duration: string };
  readonly streams: readonly { readonly codec_type: string; readonly width?: number }[];
}

export const probe = (path: string): Probed =>
  JSON.parse(run("ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", path)) as Probed;

export const seconds = (path: string): number => Number(probe(path).format.duration);

/** @returns the integrated loudness in LUFS */
export const loudness = (path: string): number => {
  const measured = run("sh", "-c", 'ffmpeg -nostats -i "$0" -af ebur128 -f null - 2>&1', path);
  const last = [...measured.matchAll(/I:\s+(-?\d+\.\d+) LUFS/g)].at(-1);
  expect(last, measured).toBeDefined();
  return Number(last?.[1]);
};
