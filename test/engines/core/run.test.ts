import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RouteStep } from "../../../functions/domain/conversions/plan.ts";
import { JobError } from "../../../functions/domain/errors.ts";
import { HelperNeeded } from "../../../functions/engines/core/engine.ts";
import { type ConverterPool, type ConverterPoolSettings, converterPool } from "../../../functions/engines/core/run.ts";
import type { ConversionTask } from "../../../functions/engines/core/task.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { childrenOf, isRunning, until } from "../support/processes/processes.ts";
import { scratchFolder } from "../support/scratch.ts";

/** The pool with real processes and real conversions. */

const scratch = scratchFolder();
const entry = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");
const odd = join(import.meta.dirname, "../support/processes/odd-converter.ts");
const LONG = { timeoutMs: 150_000 };

let pools: ConverterPool[] = [];
const poolOf = (settings: Partial<ConverterPoolSettings> = {}): ConverterPool => {
  const pool = converterPool({ size: 1, entry, ...settings });
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
  pools = [];
});

const step = (from: RouteStep["from"], to: RouteStep["to"]): RouteStep => ({
  engine: "sharp",
  from,
  to,
  options: ["lossless", "width"],
});

const task = (
  input: string,
  steps: readonly RouteStep[] = [],
  options: ConversionTask["options"] = {},
): ConversionTask => {
  const folder = scratch.fresh();
  mkdirSync(folder);
  return { input, folder, steps, options };
};
const small = (): ConversionTask => task(sampleOf("png"), [step("png", "jpg")]);

/**
 * Noise of nine megapixels: encoding it to lossless AVIF takes many seconds and hundreds of megabytes on any machine.
 */
let noise = "";
beforeAll(async () => {
  const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 3_000, height: 3_000, channels: 3, background: "#888", noise: gaussian } as const;
  noise = scratch.file(await sharp({ create }).png({ compressionLevel: 0 }).toBuffer());
});
const large = (): ConversionTask => task(noise, [step("png", "avif")], { lossless: true });

describe("a conversion", () => {
  test("returns the result and the duration of each step, and reports progress", async () => {
    const percents: number[] = [];
    const steps = [step("svg", "png"), step("png", "webp")];
    const requested = task(sampleOf("svg"), steps, { width: 48 });
    const { output, timings, warnings } = await poolOf().run(requested, {
      ...LONG,
      onProgress: (percent) => percents.push(percent),
    });
    expect(await sharp(output).metadata()).toMatchObject({ format: "webp", width: 48 });
    expect(timings.map(({ from, to }) => [from, to])).toEqual([
      ["svg", "png"],
      ["png", "webp"],
    ]);
    expect(warnings).toEqual([]);
    expect(percents).toEqual([50]);
  });

  test("of a damaged file fails with a code and detail, and the next one succeeds in the same process", async () => {
    const pool = poolOf();
    const damaged = scratch.file(readFileSync(sampleOf("png")).subarray(0, 100));
    const failure = pool.run(task(damaged, [step("png", "jpg")]), LONG);
    await expect(failure).rejects.toThrow("The PNG could not be read");
    await expect(codeOf(failure)).resolves.toBe("source_corrupt");
    const [before] = childrenOf();
    await pool.run(small(), LONG);
    expect(childrenOf()).toEqual([before]);
  });

  test("that fails with a server error reports the cause only to the log, not to the client", async () => {
    const gone = task(scratch.path("gone"), [step("png", "jpg")]);
    const error: unknown = await poolOf()
      .run(gone, LONG)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "engine_failed", message: "The conversion failed because of a server error." });
    expect(error instanceof JobError && error.cause).toContain("Input file is missing");
  });
});

describe("a converter that is killed during a conversion", () => {
  test("fails its conversion as crashed, with the signal's name, and the pool keeps working", async () => {
    const pool = poolOf();
    const running = pool.run(large(), LONG);
    await until(() => childrenOf().length === 1);
    const [pid = 0] = childrenOf();
    process.kill(pid, "SIGABRT");
    await expect(running).rejects.toThrow("SIGABRT");
    await expect(codeOf(running)).resolves.toBe("engine_crashed");
    await expect(pool.run(small(), LONG)).resolves.toMatchObject({ warnings: [] });
  });

  test("reports its stderr to the log, not to the client", async () => {
    const error: unknown = await poolOf({ entry: odd })
      .run(task("throw"), LONG)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "engine_crashed", message: "The converter exited with code 1." });
    expect(error instanceof JobError && error.cause).toContain("the reason for the log");
  });

  test("while idle is replaced before the next conversion", async () => {
    const pool = poolOf();
    await pool.run(small(), LONG);
    const [pid = 0] = childrenOf();
    process.kill(pid, "SIGKILL");
    await until(() => !isRunning(pid));
    // Time for Node to report the exit, also on a busy machine.
    await pause(1_000);
    await pool.run(small(), LONG);
    expect(childrenOf()).toHaveLength(1);
  });

  test("repeatedly keeps failing and never hangs: abort in native code, a missing program", async () => {
    const pool = poolOf({ entry: odd });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(pool.run(task("abort"), LONG)).rejects.toThrow("SIGABRT");
    }
    expect(await codeOf(poolOf({ entry: scratch.path("none.ts") }).run(small(), LONG))).toBe("engine_crashed");
  });
});

describe("limits", () => {
  test("a conversion that takes too long is killed, and the next one succeeds", async () => {
    const pool = poolOf();
    expect(await codeOf(pool.run(large(), { timeoutMs: 500 }))).toBe("timed_out");
    expect(childrenOf()).toEqual([]);
    await pool.run(small(), LONG);
  });

  test("processes started by a converter are killed with it", async () => {
    const requested = task("a child");
    const running = poolOf({ entry: odd }).run(requested, { timeoutMs: 2_000 });
    expect(await codeOf(running)).toBe("timed_out");
    const grandchild = Number(readFileSync(join(requested.folder, "child"), "utf8"));
    expect(grandchild).toBeGreaterThan(0);
    await until(() => !isRunning(grandchild));
  });

  test("a conversion that needs too much memory is killed", async () => {
    expect(await codeOf(poolOf({ memoryBytesMax: 150_000_000 }).run(large(), LONG))).toBe("out_of_memory");
    expect(childrenOf()).toEqual([]);
  });

  test("a conversion that is no longer wanted is killed, and fails with the reason", async () => {
    const pool = poolOf();
    const running = pool.run(large(), { ...LONG, signal: AbortSignal.timeout(300) });
    await expect(running).rejects.toThrow(/timeout/i);
    expect(childrenOf()).toEqual([]);
    const never = pool.run(small(), { ...LONG, signal: AbortSignal.abort(new Error("changed my mind")) });
    await expect(never).rejects.toThrow("changed my mind");
  });

  test("no more processes run than the size of the pool; further conversions wait", async () => {
    const pool = poolOf({ size: 2 });
    const ended: number[] = [];
    const most: number[] = [];
    const all = Array.from({ length: 8 }, async (_, index) => {
      await pool.run(small(), LONG);
      ended.push(index);
      most.push(childrenOf().length);
    });
    await Promise.all(all);
    expect(Math.max(...most)).toBe(2);
    expect(ended.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("a conversion beyond the queue limit is rejected immediately", async () => {
    const pool = poolOf({ waitingMax: 1 });
    const accepted = [pool.run(small(), LONG), pool.run(small(), LONG)];
    expect(await codeOf(pool.run(small(), LONG))).toBe("engine_failed");
    await Promise.all(accepted);
  });
});

describe("a process is replaced", () => {
  const pidsOf = async (pool: ConverterPool, runs: number): Promise<number[]> => {
    const pids: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const running = pool.run(small(), LONG);
      await until(() => childrenOf().length === 1);
      pids.push(...childrenOf());
      await running;
    }
    return pids;
  };

  test("after its maximum number of conversions", async () => {
    const [first, second, third, fourth] = await pidsOf(poolOf({ jobsMax: 2 }), 4);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(fourth).toBe(third);
  });

  test("when it exceeds the memory limit of an idle one", async () => {
    expect(new Set(await pidsOf(poolOf({ idleBytesMax: 1 }), 3)).size).toBe(3);
  });

  test("in no other case", async () => {
    expect(new Set(await pidsOf(poolOf(), 5)).size).toBe(1);
  });
});

describe("a converter is not trusted", () => {
  test.each(["another file", "unknown code", "nonsense"])("a response with %s counts as a crash", async (answer) => {
    expect(await codeOf(poolOf({ entry: odd }).run(task(answer), LONG))).toBe("engine_crashed");
    expect(childrenOf()).toEqual([]);
  });
});

describe("a converter in a lane without text recognition", () => {
  test("reports that the file needs it, and stays ready for the next conversion", async () => {
    const pool = poolOf({ entry: odd });
    await expect(pool.run(task("a scan"), LONG)).rejects.toBeInstanceOf(HelperNeeded);
    const [child] = childrenOf();
    await expect(pool.run(task("a scan"), LONG)).rejects.toBeInstanceOf(HelperNeeded);
    expect(childrenOf()).toEqual([child]);
  });
});

describe("shutdown", () => {
  test("stop kills running conversions and rejects waiting and later ones", async () => {
    const pool = poolOf();
    const [running, waiting] = [pool.run(large(), LONG), pool.run(small(), LONG)];
    const codes = Promise.all([codeOf(running), codeOf(waiting)]);
    await until(() => childrenOf().length === 1);
    await pool.stop();
    expect(await codes).toEqual(["engine_failed", "engine_failed"]);
    expect(await codeOf(pool.run(small(), LONG))).toBe("engine_failed");
    expect(childrenOf()).toEqual([]);
  });

  test("no process is started before there is something to convert", () => {
    poolOf({ size: 4 });
    expect(childrenOf()).toEqual([]);
  });

  const owner = (wait: string) => {
    const { input, folder } = small();
    const script = join(import.meta.dirname, "../support/processes/pool-owner.ts");
    return spawn(process.execPath, [script, input, folder, wait], { stdio: ["ignore", "pipe", "inherit"] });
  };

  test("converters end when their parent is killed", async () => {
    const parent = owner("wait");
    const [line] = await once(parent.stdout, "data");
    const pids: number[] = JSON.parse(String(line));
    expect(new Set(pids).size).toBe(1);
    parent.kill("SIGKILL");
    await until(() => !pids.some(isRunning));
  });

  test("an idle pool does not keep its process from ending, and ends with it", async () => {
    const parent = owner("");
    const [line] = await once(parent.stdout, "data");
    const pids: number[] = JSON.parse(String(line));
    await once(parent, "exit");
    expect(parent.exitCode).toBe(0);
    await until(() => !pids.some(isRunning));
  });
});
