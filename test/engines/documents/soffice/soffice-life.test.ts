import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import {
  type ConverterPool,
  type ConverterPoolSettings,
  converterPool,
} from "../../../../functions/engines/core/run.ts";
import { chooseEnclosure } from "../../../../functions/engines/core/sandbox/choose.ts";
import { enclosures } from "../../../../functions/engines/core/sandbox/enclosure.ts";
import { scrubbedEnvironment } from "../../../../functions/engines/core/sandbox/environment.ts";
import { IS_COMPLETE } from "../../../support/run/complete.ts";
import { sampleOf } from "../../support/fixtures.ts";
import { until } from "../../support/processes/processes.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { isInstalled } from "../../support/task.ts";

/** LibreOffice is kept between conversions, and leaves nothing after it exits. */

const scratch = scratchFolder();
const entry = join(import.meta.dirname, "../../../../functions/engines/core/converter.ts");
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

/** IDs of the LibreOffice processes that are descendants of this process, except those of another pool. */
const offices = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => /soffice\.bin|sidecar\.py/.test(commandOf(pid)) && isOurs(pid));

/** The sidecar has the name of the program among its arguments. */
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

/** The folder of a running LibreOffice, from its command line. */
const folderOf = (pid: number): string => /UserInstallation=file:\/\/([^\0]+)/.exec(commandOf(pid))?.[1] ?? "";

/**
 * The sockets of a LibreOffice with this folder: the one given by its arguments, and the one for a second LibreOffice.
 */
const socketsOf = (folder: string): string[] => {
  // Like LibreOffice: the hex digits of each byte, without leading zeros.
  const digest = createHash("md5").update(pathToFileURL(folder).href, "utf16le").digest();
  const single = [...digest].map((byte) => byte.toString(16)).join("");
  return [basename(folder), `SingleOfficeIPC_${single}`].map((name) => `/tmp/OSL_PIPE_${process.getuid?.()}_${name}`);
};

const left = (folder: string): string[] => [folder, ...socketsOf(folder)].filter((path) => existsSync(path));

/** Kills the running LibreOffice as soon as it has a document. */
const killAtWork = async (): Promise<void> => {
  for (let wait = 0; wait < 10_000; wait += 1) {
    const office = officeOf(offices()) ?? 0;
    if (namesIn(folderOf(office)).some((name) => name.startsWith("tmp"))) {
      process.kill(office, "SIGKILL");
      await until(() => commandOf(office) === "");
      return;
    }
    await pause(1);
  }
  throw new Error("No LibreOffice was given a document.");
};

const namesIn = (folder: string): string[] => (folder !== "" && existsSync(folder) ? readdirSync(folder) : []);

describe.skipIf(!isInstalled("soffice") || process.platform !== "linux")("a warm LibreOffice", () => {
  test("runs 50 conversions in one process, and leaves no processes or files", async () => {
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

  test("starts once for its first document, and draws no test images", async () => {
    const converters = started(1);
    const seen = new Set<number>();
    // Not what LibreOffice starts itself.
    const isStarted = (pid: number): boolean => isOffice(pid) && commandOf(parentOf(pid)).includes("sidecar.py");
    const watch = setInterval(
      () =>
        offices()
          .filter(isStarted)
          .map((pid) => seen.add(pid)),
      10,
    );
    await docx(converters).finally(() => clearInterval(watch));
    const office = officeOf(offices()) ?? 0;
    expect([...seen]).toEqual([office]);
    const profile = namesIn(join(folderOf(office), "user"));
    expect(profile).toContain("extensions");
    expect(profile).not.toContain("GraphicsRenderTests.log");
  });

  test("fails only its own job when it hangs", async () => {
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

  test("restarts for the next job after it is killed, and once within the same job", async () => {
    const converters = started(1);
    await docx(converters);
    process.kill(officeOf(offices()) ?? 0, "SIGKILL");
    expect(await docx(converters)).toBeGreaterThan(1_000);
    const running = docx(converters);
    process.kill(officeOf(offices()) ?? 0, "SIGKILL");
    expect(await running).toBeGreaterThan(1_000);
  });

  test("does not blame the document when it is killed twice within one job", async () => {
    const converters = started(1);
    await docx(converters);
    const failed = expect(docx(converters)).rejects.toMatchObject({ code: "engine_failed" });
    await killAtWork();
    await killAtWork();
    await failed;
    expect(await docx(converters)).toBeGreaterThan(1_000);
  });

  test("runs once per converter, and converts four documents at once", async () => {
    const converters = started(2);
    const sizes = await Promise.all([1, 2, 3, 4].map(() => docx(converters)));
    expect(sizes.every((size) => size > 1_000)).toBe(true);
    expect(offices().filter((pid) => isOffice(pid))).toHaveLength(2);
  });
});

/**
 * Environments in which LibreOffice's sockets are in a shared directory, not one that is removed with the converter.
 */
const surroundings = { scratchFolder: scratch.folder, entry, environment: scrubbedEnvironment("/tmp") };
const seeing = enclosures.filter(({ protections }) => !protections.includes("files"));
const available = await Promise.all(
  seeing.map(async (enclosure) => {
    const { refused } = await chooseEnclosure("auto", surroundings, [enclosure]);
    return { enclosure, name: enclosure.name, refused };
  }),
);
const usable = available.filter(({ refused }) => refused.length === 0);
/** All of them in the complete run, otherwise the one that is preferred. */
const offered = IS_COMPLETE ? usable : usable.slice(0, 1);

describe.skipIf(!isInstalled("soffice") || process.platform !== "linux").each(offered)(
  "a LibreOffice in the sandbox of $name",
  ({ enclosure }) => {
    test("leaves no folder and no socket when it is killed during a conversion", async () => {
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
      "leaves nothing that the next one does not remove when killed %i ms into its startup",
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

/** As old as a process that is no longer starting. */
const grow = (path: string): void => utimesSync(path, new Date(0), new Date(0));

test.skipIf(!isInstalled("soffice"))("removes only sockets without a listener", async () => {
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
