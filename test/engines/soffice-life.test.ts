import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { type ConverterPool, type ConverterPoolSettings, converterPool } from "../../functions/engines/run.ts";
import { chooseEnclosure } from "../../functions/engines/walls/choose.ts";
import { enclosures } from "../../functions/engines/walls/enclosure.ts";
import { scrubbedEnvironment } from "../../functions/engines/walls/environment.ts";
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

const started = (size: number, settings: Partial<ConverterPoolSettings> = {}): ConverterPool => {
  pool = converterPool({ size, entry, memoryBytesMax: 2_500_000_000, ...settings });
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

/** The sockets of a LibreOffice with this folder: the one that it is told to have, and the one for a second LibreOffice. */
const socketsOf = (folder: string): string[] => {
  // As LibreOffice says it: the digits of each byte, without leading zeros.
  const digest = createHash("md5").update(pathToFileURL(folder).href, "utf16le").digest();
  const single = [...digest].map((byte) => byte.toString(16)).join("");
  return [basename(folder), `SingleOfficeIPC_${single}`].map((name) => `/tmp/OSL_PIPE_${process.getuid?.()}_${name}`);
};

const left = (folder: string): string[] => [folder, ...socketsOf(folder)].filter((path) => existsSync(path));

describe.skipIf(!isInstalled("soffice") || process.platform !== "linux")("a LibreOffice that is kept", () => {
  test("does 50 conversions in one process, and leaves no process and no file", async () => {
    const converters = started(1);
    await docx(converters);
    const office = officeOf(offices());
    const folder = folderOf(office ?? 0);
    expect(left(folder)).toEqual([folder]);
    for (let job = 0; job < 50; job += 1) {
      expect(await docx(converters)).toBeGreaterThan(1_000);
    }
    expect(officeOf(offices())).toBe(office);
    expect(readdirSync(folder).filter((name) => name.startsWith("tmp"))).toEqual([]);
    await converters.stop();
    await until(() => offices().length === 0 && left(folder).length === 0);
  }, 240_000);

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

/** Where the sockets of LibreOffice stand in a folder of all, and not in one that goes with the converter. */
const surroundings = { scratchFolder: scratch.folder, entry, environment: scrubbedEnvironment("/tmp") };
const seeing = enclosures.filter(({ walls }) => !walls.includes("files"));
const available = await Promise.all(
  seeing.map(async (enclosure) => {
    const { refused } = await chooseEnclosure("auto", surroundings, [enclosure]);
    return { enclosure, name: enclosure.name, refused };
  }),
);
const offered = available.filter(({ refused }) => refused.length === 0);

describe.skipIf(!isInstalled("soffice") || process.platform !== "linux").each(offered)(
  "a LibreOffice within the walls of $name",
  ({ enclosure }) => {
    test("leaves no folder and no socket when it is killed in the middle of a conversion", async () => {
      const converters = started(1, { enclosure, scratchFolder: scratch.folder });
      await docx(converters);
      const office = officeOf(offices()) ?? 0;
      const folder = folderOf(office);
      expect(left(folder)).toEqual([folder]);
      const killed = expect(docx(converters, 1_000)).rejects.toMatchObject({ code: "timed_out" });
      process.kill(office, "SIGSTOP");
      await killed;
      await until(() => left(folder).length === 0);
    });

    test.each([0, 100, 400])(
      "leaves nothing that the next one does not remove when it is killed %i ms after it began to start",
      async (milliseconds) => {
        const converters = started(1, { enclosure, scratchFolder: scratch.folder });
        const killed = expect(docx(converters)).rejects.toThrow();
        await until(() => officeOf(offices()) !== undefined);
        const folder = folderOf(officeOf(offices()) ?? 0);
        await pause(milliseconds);
        await converters.stop();
        await killed;
        await until(() => !existsSync(folder));
        left(folder).forEach(grow);
        await docx(started(1, { enclosure, scratchFolder: scratch.folder }));
        expect(left(folder)).toEqual([]);
      },
    );
  },
);

/** As old as what nobody starts any more. */
const grow = (path: string): void => utimesSync(path, new Date(0), new Date(0));

test.skipIf(!isInstalled("soffice"))("sockets at which nobody listens are removed, and no others", async () => {
  const socket = (name: string): string => `/tmp/OSL_PIPE_${process.getuid?.()}_test-${name}-${process.pid}`;
  const [dead, young, heard] = [socket("dead"), socket("young"), socket("heard")];
  const listening = createServer().listen(heard);
  const script = `for (const path of process.argv.slice(1)) require("net").createServer().listen(path, () => console.log(path));`;
  const program = spawn(process.execPath, ["-e", script, dead, young], { stdio: ["ignore", "pipe", "inherit"] });
  await until(() => [dead, young, heard].every((path) => existsSync(path)));
  program.kill("SIGKILL");
  await once(program, "exit");
  [dead, heard].forEach(grow);
  await docx(started(1));
  expect([dead, young, heard].map((path) => existsSync(path))).toEqual([false, true, true]);
  listening.close();
  rmSync(young);
});
