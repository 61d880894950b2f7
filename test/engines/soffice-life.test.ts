import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ConverterPool, converterPool } from "../../functions/engines/run.ts";
import { sampleOf } from "./support/fixtures.ts";
import { until } from "./support/processes.ts";
import { scratchFolder } from "./support/scratch.ts";
import { isInstalled } from "./support/task.ts";

/** LibreOffice is kept between conversions, and leaves nothing behind. */

const scratch = scratchFolder();
const entry = join(import.meta.dirname, "../../functions/engines/converter.ts");
const TIMEOUT_MS = 60_000;

let pool: ConverterPool | undefined;
afterEach(() => pool?.stop());

const started = (size: number): ConverterPool => {
  pool = converterPool({ size, entry, memoryBytesMax: 2_500_000_000 });
  return pool;
};

let count = 0;
const docx = async (converters: ConverterPool, timeoutMs = TIMEOUT_MS): Promise<number> => {
  const { mkdirSync } = await import("node:fs");
  count += 1;
  const folder = scratch.path(`job-${count}`);
  mkdirSync(folder);
  const steps = [{ engine: "soffice", from: "docx", to: "pdf", options: [] }] as const;
  const { output } = await converters.run({ input: sampleOf("docx"), folder, steps, options: {} }, { timeoutMs });
  return readFileSync(output).length;
};

/** Ids of the processes of LibreOffice that have this process among their forebears, and what is of another pool's. */
const offices = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => /soffice\.bin|sidecar\.py/.test(commandOf(pid)) && isOurs(pid));

/** The sidecar has the name of the program among its own arguments. */
const isOffice = (pid: number): boolean => commandOf(pid).includes("--accept=pipe");

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`);
const parentOf = (pid: number): number => Number(read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1] ?? 0);

const isOurs = (pid: number): boolean => {
  for (let at = pid; at > 1; at = parentOf(at)) {
    if (at === process.pid) {
      return true;
    }
  }
  return false;
};

const officeOf = (pids: readonly number[]): number | undefined => pids.find((pid) => isOffice(pid));

/** The folder of a running LibreOffice, as its command names it. */
const folderOf = (pid: number): string => /UserInstallation=file:\/\/([^\0]+)/.exec(commandOf(pid))?.[1] ?? "";

const left = (folder: string): string[] =>
  ["/tmp", join(folder, "..")].flatMap((place) =>
    readdirSync(place).filter((name) => name.includes(folder.split("/").at(-1) ?? "?")),
  );

describe.skipIf(!isInstalled("soffice") || process.platform !== "linux")("a LibreOffice that is kept", () => {
  test("does 50 conversions in one process, and leaves no process and no file", async () => {
    const converters = started(1);
    await docx(converters);
    const office = officeOf(offices());
    const folder = folderOf(office ?? 0);
    expect(left(folder)).not.toEqual([]);
    for (let job = 0; job < 50; job += 1) {
      expect(await docx(converters)).toBeGreaterThan(1_000);
    }
    expect(officeOf(offices())).toBe(office);
    expect(readdirSync(folder).filter((name) => name.startsWith("tmp"))).toEqual([]);
    await converters.stop();
    await until(() => offices().length === 0 && left(folder).length === 0);
  });

  test("that hangs costs its own job alone", async () => {
    const converters = started(1);
    await docx(converters);
    const office = officeOf(offices()) ?? 0;
    const folder = folderOf(office);
    const hanging = expect(docx(converters, 4_000)).rejects.toMatchObject({ code: "timed_out" });
    process.kill(office, "SIGSTOP");
    for (const pid of offices()) {
      process.kill(pid, "SIGSTOP");
    }
    await hanging;
    expect(await docx(converters)).toBeGreaterThan(1_000);
    await until(() => left(folder).length === 0);
    expect(officeOf(offices())).not.toBe(office);
  });

  test("that is killed is started anew for the next job, and within a job once more for the same", async () => {
    const converters = started(1);
    await docx(converters);
    process.kill(officeOf(offices()) ?? 0, "SIGKILL");
    expect(await docx(converters)).toBeGreaterThan(1_000);
    const running = docx(converters);
    process.kill(officeOf(offices()) ?? 0, "SIGKILL");
    expect(await running).toBeGreaterThan(1_000);
  });

  test("is one for each converter, and four documents at once all arrive", async () => {
    const converters = started(2);
    const sizes = await Promise.all([1, 2, 3, 4].map(() => docx(converters)));
    expect(sizes.every((size) => size > 1_000)).toBe(true);
    expect(offices().filter((pid) => isOffice(pid))).toHaveLength(2);
  });
});
