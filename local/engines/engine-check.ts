import { execFile } from "node:child_process";
import { type EngineId, engineIds, engineOf } from "../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { installedName } from "./installed.ts";

/** A table of the engines that start programs: what each needs, whether it is installed, and what depends on it. */

/** Timeout in milliseconds for printing a version; LibreOffice reads its complete configuration first. */
const VERSION_MS_MAX = 10_000;

const HEADINGS = ["engine", "program", "version", "installed", "pairs only by it", "formats only by it"];

/** @returns the table as text, with a line for each program of each engine */
export const checkTable = async (): Promise<string> => {
  const engines = engineIds.filter((id) => engineOf(id).programs !== undefined);
  const rows = await Promise.all(engines.map(rowsOf));
  return tableOf([HEADINGS, ...rows.flat()]);
};

const rowsOf = async (engine: EngineId): Promise<readonly (readonly string[])[]> => {
  const { pairs, formats } = onlyBy(engine);
  const { programs = [] } = engineOf(engine);
  return Promise.all(
    programs.map(async (program, index) => {
      const found = installedName(program);
      const first = index === 0 ? [engine, String(pairs), someOf(formats)] : ["", "", ""];
      const [name = "", ...hanging] = first;
      const [version, installed] = found === undefined ? ["", "no"] : [await versionOf(found), "yes"];
      return [name, found ?? program, version, installed, ...hanging];
    }),
  );
};

/** Maximum number of listed formats per engine, so that a line fits a screen. */
const NAMED_MAX = 10;

const someOf = (formats: readonly string[]): string => {
  const more = formats.length - NAMED_MAX;
  return [...formats.slice(0, NAMED_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join(" ");
};

const pairsOf = (engines: readonly EngineId[]): ReadonlySet<string> =>
  new Set(planRoutes(new Set(engines)).all.map(({ from, to }) => `${from} ${to}`));

let all: ReadonlySet<string> | undefined;

/** @returns the number of pairs, and the formats, that are only available with this engine */
const onlyBy = (engine: EngineId): { readonly pairs: number; readonly formats: readonly string[] } => {
  all ??= pairsOf(engineIds);
  const without = pairsOf(engineIds.filter((id) => id !== engine));
  const left = formatsIn(without);
  return {
    pairs: [...all].filter((pair) => !without.has(pair)).length,
    formats: [...formatsIn(all)].filter((format) => !left.has(format)),
  };
};

const formatsIn = (pairs: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...pairs].flatMap((pair) => pair.split(" ")));

/** The version option of programs that do not support `--version`. */
const versionArguments: Readonly<Record<string, string>> = {
  assimp: "version",
  ffmpeg: "-version",
  ffprobe: "-version",
  pdftotext: "-v",
  pdftoppm: "-v",
  pdftocairo: "-v",
  pdfinfo: "-v",
};

/** @returns the first dotted number that the program prints to stdout or stderr; "?" if there is none in time */
const versionOf = (program: string): Promise<string> =>
  new Promise((resolve) => {
    const args = [versionArguments[program] ?? "--version"];
    execFile(program, args, { timeout: VERSION_MS_MAX, killSignal: "SIGKILL" }, (_, stdout, stderr) => {
      resolve(/\d+(?:\.\d+)+/.exec(`${stdout}\n${stderr}`)?.[0] ?? "?");
    });
  });

const tableOf = (rows: readonly (readonly string[])[]): string => {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};
