import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ConverterPool, converterPool } from "../../../functions/engines/core/run.ts";
import { type WarmPool, warmPool } from "../../../local/queue/warm-up.ts";
import { childrenOf } from "../../engines/support/processes/processes.ts";
import { PATIENCE } from "../../support/patience.ts";

/** Converters that start before they are needed, with real processes. */

const PNG = readFileSync(join(import.meta.dirname, "../../fixtures/sample.png"));
const entry = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");
const LONG = { timeoutMs: 60_000 };

let pool: ConverterPool;
let warm: WarmPool;
let errors: unknown[];
/** What has ended, in order. */
let order: ("converted" | "warm")[];
beforeEach(() => {
  pool = converterPool({ size: 2, entry });
  [errors, order] = [[], []];
  const warmed: ConverterPool["warm"] = async (conversions, limits) => {
    await pool.warm(conversions, limits);
    order.push("warm");
  };
  warm = warmPool({ ...pool, warm: warmed }, (error) => errors.push(error));
});
afterEach(() => pool.stop());

const convert = () =>
  warm.runBytes({ step: { engine: "sharp", from: "png", to: "jpg", options: [] }, options: {}, input: [PNG] }, LONG);

test("one converter starts with the service, and the others when two conversions run at the same time", async () => {
  warm.warmUp();
  await vi.waitFor(() => expect(order).toEqual(["warm"]), PATIENCE);
  for (let count = 0; count < 3; count += 1) {
    expect((await convert())?.output.length).toBeGreaterThan(0);
    expect(childrenOf(process.pid)).toHaveLength(1);
  }
  await Promise.all([convert(), convert(), convert()]);
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(2), PATIENCE);
  expect(errors).toEqual([]);
});

test("a second conversion waits for the warm converter, not for the start of another", async () => {
  warm.warmUp();
  await vi.waitFor(() => expect(order).toEqual(["warm"]), PATIENCE);
  await Promise.all([convert(), convert()].map((each) => each.then(() => order.push("converted"))));
  expect(order).toEqual(["warm", "converted", "converted"]);
});

test("further converters start when two conversions of bytes run at the same time, not for files", async () => {
  let started = 0;
  const counted: ConverterPool["warm"] = async () => {
    started += 1;
  };
  const run: ConverterPool["run"] = async () => {
    await convert();
    return { output: "", bundled: false, timings: [], warnings: [] };
  };
  warm = warmPool({ ...pool, run, warm: counted, furtherSlots: 1 }, (error) => errors.push(error));
  await convert();
  expect(started).toBe(0);
  const step = { engine: "sharp", from: "png", to: "jpg", options: [] } as const;
  await warm.run({ input: "", folder: "", steps: [step], options: {} }, LONG);
  expect(started).toBe(1);
  await Promise.all([convert(), convert()]);
  expect(started).toBe(2);
  expect(errors).toEqual([]);
});

test("a converter that cannot be started is reported, and does not affect conversions", async () => {
  await pool.stop();
  warm.warmUp();
  await vi.waitFor(() => expect(errors).toMatchObject([{ code: "engine_failed" }]), PATIENCE);
  await expect(convert()).rejects.toMatchObject({ code: "engine_failed" });
});
