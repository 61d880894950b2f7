import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { RouteStep } from "../../../../functions/domain/conversions/plan.ts";
import { converterPool } from "../../../../functions/engines/core/run.ts";
import { codeOf } from "../../support/convert.ts";
import { sampleOf } from "../../support/fixtures.ts";
import { childrenOf, isRunning, until } from "../../support/processes/processes.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { isInstalled } from "../../support/task.ts";

/** The browser is kept for the next document, and never outlives the process that started it. */

const scratch = scratchFolder();
const HTML_TO_PDF: RouteStep = { engine: "chromium", from: "html", to: "pdf", options: [] };
const LONG_MS = 60_000;

const pool = () =>
  converterPool({ size: 1, entry: join(import.meta.dirname, "../../../../functions/engines/core/converter.ts") });

const job = (input = sampleOf("html")) => {
  const folder = scratch.fresh();
  mkdirSync(folder);
  return { input, folder, steps: [HTML_TO_PDF], options: {} };
};

/** @returns the IDs of all descendants of a process */
const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)]);

/** Takes the browser longer than any test. */
const endless = (): string =>
  scratch.file(`<p style="text-shadow:${Array.from({ length: 100_000 }, (_, i) => `${i}px ${i}px ${i}px red`)}">x`);

/** CPU time of a renderer that has a document, in ticks of 10 ms: an empty one needs fewer. */
const BUSY_TICKS = 60;

const cpuTicks = (pid: number): number => {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
  return Number(stat.split(") ").at(-1)?.split(" ")[11] ?? 0);
};

const profilesOf = (pid: number | undefined): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`anyform-browser-${pid}-`));

describe.skipIf(!isInstalled("chromium"))("chromium", () => {
  test("one browser processes consecutive documents", async () => {
    const converters = pool();
    await converters.run(job(), { timeoutMs: LONG_MS });
    const [converter = 0] = childrenOf();
    const [browser] = childrenOf(converter);
    await converters.run(job(), { timeoutMs: LONG_MS });
    expect(childrenOf(converter)).toEqual([browser]);
    await converters.stop();
  });

  test("20 conversions leave only the results", async () => {
    const converters = pool();
    const before = new Set(readdirSync(tmpdir()));
    for (let index = 0; index < 20; index += 1) {
      const { output } = await converters.run(job(), { timeoutMs: LONG_MS });
      expect(readFileSync(output).length).toBeGreaterThan(1_000);
    }
    const [converter = 0] = childrenOf();
    const processes = below(converter);
    const profiles = profilesOf(converter);
    expect(profiles).toHaveLength(1);
    expect(readdirSync(tmpdir()).filter((name) => /chrom|org\.c/i.test(name) && !before.has(name))).toEqual([]);
    await converters.stop();
    await until(() => ![converter, ...processes].some(isRunning));
    // A killed converter cannot clean up; the next one does.
    const next = pool();
    await next.run(job(), { timeoutMs: LONG_MS });
    expect(profiles.filter((name) => existsSync(join(tmpdir(), name)))).toEqual([]);
    await next.stop();
  });

  test("a document that takes too long fails only its own job, and its browser is killed", async () => {
    const converters = pool();
    await converters.run(job(), { timeoutMs: LONG_MS });
    const [converter = 0] = childrenOf();
    const processes = below(converter);
    expect(processes.length).toBeGreaterThan(2);
    expect(await codeOf(converters.run(job(endless()), { timeoutMs: 2_000 }))).toBe("timed_out");
    await until(() => ![converter, ...processes].some(isRunning));
    const { warnings } = await converters.run(job(), { timeoutMs: LONG_MS });
    expect(warnings.map(({ code }) => code)).toEqual(["scripts_dropped"]);
    await converters.stop();
  });

  test("the browser exits when only the converter is killed", async () => {
    const converters = pool();
    await converters.run(job(), { timeoutMs: LONG_MS });
    const [converter = 0] = childrenOf();
    const processes = below(converter);
    process.kill(converter, "SIGKILL");
    await until(() => !processes.some(isRunning));
    await converters.stop();
  });

  test("a browser that crashes during a document is replaced, and the document is printed", async () => {
    const converters = pool();
    await converters.run(job(), { timeoutMs: LONG_MS });
    const [converter = 0] = childrenOf();
    const [browser = 0] = childrenOf(converter);
    const long = `<p>${"words ".repeat(400_000)}`;
    const running = converters.run(job(scratch.file(long)), { timeoutMs: LONG_MS });
    await until(() => below(browser).length > 4);
    process.kill(browser, "SIGKILL");
    expect(readFileSync((await running).output).length).toBeGreaterThan(1_000);
    expect(childrenOf(converter)).not.toContain(browser);
    await converters.stop();
  });

  test("a document is not blamed when its browser is killed twice", async () => {
    const converters = pool();
    await converters.run(job(), { timeoutMs: LONG_MS });
    const [converter = 0] = childrenOf();
    const failed = codeOf(converters.run(job(endless()), { timeoutMs: LONG_MS }));
    const atWork = () => childrenOf(converter).find((pid) => below(pid).some((child) => cpuTicks(child) > BUSY_TICKS));
    for (let kill = 0; kill < 2; kill += 1) {
      await until(() => atWork() !== undefined);
      const browser = atWork() ?? 0;
      process.kill(browser, "SIGKILL");
      await until(() => !isRunning(browser));
    }
    expect(await failed).toBe("engine_failed");
    await converters.stop();
  });
});

afterAll(() => {
  expect(childrenOf().flatMap(below)).toEqual([]);
});
