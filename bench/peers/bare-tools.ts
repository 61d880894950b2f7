import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { QUIET } from "../support/recordings.ts";
import type { System } from "./rounds.ts";

/** The tools without a service, each with its output in a folder of the benchmark: the floors. */

const run = promisify(execFile);

/** A command per file. @returns undefined if the program is not installed */
const command = async (
  name: string,
  program: string,
  argumentsOf: (input: string) => readonly string[] | Promise<readonly string[]>,
): Promise<System | undefined> => {
  const isInstalled = await run("which", [program]).then(
    () => true,
    () => false,
  );
  return isInstalled ? { name, convert: async (input) => run(program, [...(await argumentsOf(input))]) } : undefined;
};

/** sharp in as many warm processes as there are cores. */
export const bareSharp = (): { readonly system: System; readonly stop: () => void } => {
  const workers = Array.from({ length: availableParallelism() }, () =>
    fork(join(import.meta.dirname, "../api/bare.ts")),
  );
  const idle = [...workers];
  const waiting: ((worker: ChildProcess) => void)[] = [];
  const convert = async (input: string): Promise<void> => {
    const worker = idle.pop() ?? (await new Promise<ChildProcess>((resolve) => waiting.push(resolve)));
    worker.send(input);
    await once(worker, "message");
    const next = waiting.shift() ?? ((free: ChildProcess) => idle.push(free));
    next(worker);
  };
  const stop = (): void => {
    for (const worker of workers) {
      worker.kill();
    }
  };
  return { system: { name: "sharp, warm processes", convert }, stop };
};

/** libvips as a command: the engine of sharp with the start of a process. */
export const vips = (target: string) =>
  command("vips command", "vips", (input) => ["copy", input, `${input}.vips.${target}[Q=80]`]);

/** One LibreOffice process per document, with a separate profile, because a profile admits one process. */
export const soffice = (folder: string) =>
  command("soffice process", "soffice", async (input) => {
    const profile = await mkdtemp(join(folder, "soffice-"));
    return [`-env:UserInstallation=file://${profile}`, "--headless", "--convert-to", "pdf", "--outdir", profile, input];
  });

export const ffmpegMp3 = () =>
  command("ffmpeg command", "ffmpeg", (input) => [...QUIET, "-i", input, "-b:a", "192k", `${input}.bare.mp3`]);

export const ffmpegCopy = () =>
  command("ffmpeg -c copy", "ffmpeg", (input) => [...QUIET, "-i", input, "-c", "copy", `${input}.bare.mp4`]);

export const pdftoppm = () => command("pdftoppm", "pdftoppm", (input) => ["-png", "-r", "150", input, `${input}-page`]);

/** DuckDB in this process, with the same threads and memory as in the service. */
export const duckdb = async (): Promise<{ readonly system: System; readonly stop: () => void }> => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2", memory_limit: "512MB" });
  const connection = await instance.connect();
  const convert = (input: string) =>
    connection.run(
      `COPY (SELECT * FROM read_csv('${input}')) TO '${input}.parquet' (FORMAT parquet, COMPRESSION zstd)`,
    );
  const stop = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  return { system: { name: "DuckDB", convert }, stop };
};
