import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ConverterPool, converterPool } from "../../../functions/engines/core/run.ts";
import { type WarmPool, warmPool } from "../../../local/queue/warm-up.ts";
import { childrenOf } from "../../engines/support/processes/processes.ts";

/** Converters that start before they are needed, with real processes. */

const PNG = readFileSync(join(import.meta.dirname, "../../fixtures/sample.png"));
const entry = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");
const LONG = { timeoutMs: 60_000 };

let pool: ConverterPool;
let warm: WarmPool;
let errors: unknown[];
beforeEach(() => {
  pool = converterPool({ size: 2, entry });
  errors = [];
  warm = warmPool(pool, (error) => errors.push(error));
});
afterEach(() => pool.stop());

const convert = () =>
  warm.runBytes({ step: { engine: "sharp", from: "png", to: "jpg", options: [] }, options: {}, input: [PNG] }, LONG);

test("one converter starts with the service, the others with the first conversion", async () => {
  warm.warmUp();
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(1));
  const first = convert();
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(2), { timeout: 30_000 });
  expect((await first)?.output.length).toBeGreaterThan(0);
  await Promise.all([convert(), convert(), convert()]);
  expect(childrenOf(process.pid)).toHaveLength(2);
  expect(errors).toEqual([]);
});

test("further converters start when two conversions of bytes run at the same time", async () => {
  let started = 0;
  const counted: ConverterPool["warm"] = async () => {
    started += 1;
  };
  warm = warmPool({ ...pool, warm: counted, furtherSlots: 1 }, (error) => errors.push(error));
  await convert();
  await convert();
  expect(started).toBe(1);
  await Promise.all([convert(), convert()]);
  expect(started).toBe(2);
  expect(errors).toEqual([]);
});

test("a converter that cannot be started is reported, and does not affect conversions", async () => {
  await pool.stop();
  warm.warmUp();
  await vi.waitFor(() => expect(errors).toMatchObject([{ code: "engine_failed" }]));
  await expect(convert()).rejects.toMatchObject({ code: "engine_failed" });
});
