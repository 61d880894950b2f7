import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { run, runOffice } from "../tools.ts";
import type { Reader } from "./reading.ts";

/** Reads data, tables, archives, cues, maps, models and fonts as lists of what they contain. */

/** Debian's Python has the libraries. */
const PYTHON = "/usr/bin/python3";

/** @param kind a reader of `tokens.py` */
export const pythonTokens = async (kind: string, format: string, paths: readonly string[]): Promise<string[]> =>
  JSON.parse(await run(PYTHON, [join(import.meta.dirname, "tokens.py"), kind, format, ...paths])) as string[];

const byPython =
  (kind: string): Reader =>
  async ({ paths, format }) => ({ tokens: await pythonTokens(kind, format, paths) });

export const readValues = byPython("values");
export const readMap = byPython("map");
export const readFont = byPython("font");

const WORKBOOKS: readonly string[] = ["xlsx", "xls", "ods", "xlsb", "fods"];

/** LibreOffice computes formulas without a stored value; openpyxl reads what it saves. */
export const readCells: Reader = async ({ paths, format, folder }) => {
  if (!WORKBOOKS.includes(format)) {
    return { tokens: await pythonTokens("cells", format, paths) };
  }
  const [path = ""] = paths;
  await runOffice(["--convert-to", "xlsx", "--outdir", folder, path]);
  const made = (await readdir(folder)).filter((name) => name.endsWith(".xlsx")).map((name) => join(folder, name));
  return { tokens: await pythonTokens("cells", "xlsx", made) };
};

/** Unpacks the archive. @returns each file with the hash of its content */
export const readEntries: Reader = async ({ paths: [path = ""], folder }) => {
  await run("bsdtar", ["-xf", path, "-C", folder]);
  const tokens: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name);
    if ((await stat(file)).isFile()) {
      const hash = createHash("sha256").update(await readFile(file));
      tokens.push(`${relative(folder, file)} ${hash.digest("hex").slice(0, 12)}`);
    }
  }
  return { tokens };
};

/** Times are compared in tenths of a second: some formats have hundredths. */
export const readCues: Reader = async ({ paths: [path = ""] }) => {
  const srt = await run("ffmpeg", ["-v", "error", "-i", path, "-f", "srt", "-"]);
  const cues = srt.replaceAll("\r", "").split(/\n\n+(?=\d+\n)/u);
  return {
    tokens: cues.flatMap((cue) => {
      const [, times = "", ...text] = cue.trim().split("\n");
      const plain = text
        .join(" ")
        .replaceAll(/<[^>]*>|\{[^}]*\}/gu, "")
        .replaceAll(/\s+/gu, " ")
        .trim();
      return times === "" ? [] : [`${tenths(times)} ${plain}`];
    }),
  };
};

const tenths = (times: string): string =>
  times
    .split(" --> ")
    .map((time) => {
      const [, hours = 0, minutes = 0, seconds = 0] = /(\d+):(\d+):([\d.]+)/u.exec(time.replace(",", ".")) ?? [];
      return (3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds)).toFixed(1);
    })
    .join("-");

/** Faces and extent; vertices may be merged or split. */
export const readMesh: Reader = async ({ paths: [path = ""] }) => {
  const info = await run("assimp", ["info", path]);
  const faces = /^Faces:\s+(\d+)/mu.exec(info)?.[1];
  const extent = ["Minimum", "Maximum"].map((end) => {
    const numbers = new RegExp(`^${end} point\\s+\\(([^)]*)\\)`, "mu").exec(info)?.[1] ?? "";
    return `${end} ${numbers
      .split(" ")
      .map((value) => (Number(value) + 0).toFixed(2))
      .join(" ")}`;
  });
  return { tokens: [`faces ${faces}`, ...extent] };
};
