import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { programIdleMs, programPlaces } from "../../functions/engines/core/pool/program-places.ts";
import { converterPool } from "../../functions/engines/core/run.ts";
import { residentPrograms, spareBrowsers } from "../../local/memory/resident-programs.ts";
import { readSettings } from "../../local/settings.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const scratch = temporaryFolder();
afterAll(() => scratch.remove());
const entry = join(import.meta.dirname, "../engines/support/processes/probing-converter.ts");

/** @returns the names of the environment variables of a converter */
const variablesWith = async (count: number): Promise<string[]> => {
  const pool = converterPool({ size: 1, entry, residentPrograms: count });
  try {
    const [folder, input] = [join(scratch.path, `task-${count}`), join(scratch.path, `probe-${count}`)];
    mkdirSync(folder);
    writeFileSync(input, JSON.stringify({ probe: "environment" }));
    const { output } = await pool.run({ input, folder, steps: [], options: {} }, { timeoutMs: 60_000 });
    return JSON.parse(readFileSync(output, "utf8")).found;
  } finally {
    await pool.stop();
  }
};

const USUAL_MS = 300_000;

describe("programs that stay open", () => {
  test.each([
    [600, 2, 0],
    [1_019, 2, 0],
    [1_020, 2, 1],
    [1_420, 2, 2],
    [24_000, 2, 2],
    [256, 16, 0],
  ])("with %i MB and %i converters are %i", (megabytes, converters, count) => {
    expect(residentPrograms(megabytes * 1e6, converters)).toBe(count);
  });

  test.each([
    [1_420, 2, 0],
    [1_919, 2, 0],
    [1_920, 2, 1],
    [2_420, 2, 2],
    [24_000, 2, 2],
    [24_000, 16, 4],
    [256, 16, 0],
  ])("with %i MB and %i converters, %i browsers are prepared for web pages", (megabytes, converters, count) => {
    expect(spareBrowsers(megabytes * 1e6, converters)).toBe(count);
  });

  test("belong to as many converters as configured, and pass to the next one when a converter ends", () => {
    const placeFor = programPlaces(1);
    const idleMs = ({ environment }: ReturnType<typeof placeFor>) => programIdleMs(USUAL_MS, environment);
    const [first, second] = [placeFor(), placeFor()];
    expect([first, second].map(idleMs)).toEqual([USUAL_MS, 10_000]);
    second.release();
    expect(idleMs(placeFor())).toBe(10_000);
    first.release();
    expect(idleMs(placeFor())).toBe(USUAL_MS);
  });

  test("are ended early by a converter that has no place for them", async () => {
    expect(await variablesWith(0)).toContain("ANYFORM_PROGRAM_IDLE_MS");
    expect(await variablesWith(1)).not.toContain("ANYFORM_PROGRAM_IDLE_MS");
  });

  test("never stay longer than usual", () => {
    expect(programIdleMs(5_000, programPlaces(0)().environment)).toBe(5_000);
  });
});

describe("ANYFORM_MEMORY", () => {
  test("is a size, and by default the memory of the machine or container", () => {
    expect(readSettings({ ANYFORM_MEMORY: "600m" }).memoryBytes).toBe(600e6);
    expect(readSettings({ ANYFORM_MEMORY: "4G" }).memoryBytes).toBe(4e9);
    expect(readSettings({}).memoryBytes).toBeGreaterThan(256e6);
  });

  test.each(["600", "100m", "many", "-1g", "0.5g"])("is rejected as %s", (text) => {
    expect(() => readSettings({ ANYFORM_MEMORY: text })).toThrow("ANYFORM_MEMORY");
  });
});
