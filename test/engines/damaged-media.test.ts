import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { jobErrors } from "../../functions/domain/errors.ts";
import { type FormatId, formatOf, formats } from "../../functions/domain/formats.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import { converterPool } from "../../functions/engines/run.ts";
import { installedEngines } from "../../local/engines.ts";
import { codeOf } from "./support/convert.ts";
import { sampleOf } from "./support/fixtures.ts";
import { scratchFolder } from "./support/scratch.ts";

/** Sound and films of every format that are broken off, overwritten, or nothing at all. */

const scratch = scratchFolder();
const routes = planRoutes(new Set(installedEngines().keys()));
const pool = converterPool({
  size: availableParallelism(),
  entry: join(import.meta.dirname, "../../functions/engines/converter.ts"),
});
afterAll(() => pool.stop());

const refusals = Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : []));

/** @returns numbers from 0 to 1 that are the same each time */
const numbers = (): (() => number) => {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
};

/** Bytes written over at random places of the first so many. */
const overwritten = (bytes: Buffer, times: number, within: number): Buffer => {
  const random = numbers();
  const copy = Buffer.from(bytes);
  for (let time = 0; time < times; time += 1) {
    copy[Math.floor(random() * Math.min(within, copy.length))] = Math.floor(random() * 256);
  }
  return copy;
};

const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ["nothing", () => Buffer.alloc(0)],
  ["its first 100 bytes", (bytes) => bytes.subarray(0, 100)],
  ["its first half", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["all of it, with a damaged head", (bytes) => overwritten(bytes, 10, 400)],
  ["all of it, with damage everywhere", (bytes) => overwritten(bytes, 100, bytes.length)],
];

const targetsOf = (from: FormatId): readonly FormatId[] => {
  const [first, second] = formatOf(from).family === "audio" ? (["mp3", "wav"] as const) : (["mp4", "mkv"] as const);
  return [from === first ? second : first];
};

const cases = formats
  .filter(({ family }) => family === "audio" || family === "video")
  .flatMap(({ id }) => targetsOf(id).map((to) => ({ from: id, route: routes.find(id, to) })))
  .flatMap(({ from, route }) => (route === undefined ? [] : [{ from, to: route.to, steps: route.steps }]));

describe.skipIf(cases.length === 0).each(damages)("%s", (_, damage) => {
  test.concurrent.each(cases)(
    "of a $from is converted to $to, or refused for what it is",
    async ({ from, steps }) => {
      const folder = scratch.fresh();
      mkdirSync(folder);
      const input = scratch.file(damage(readFileSync(sampleOf(from))));
      const running = pool.run({ input, folder, steps, options: {} }, { timeoutMs: 60_000 });
      const ended = await running.then(
        () => "converted",
        () => codeOf(running),
      );
      expect(["converted", ...refusals]).toContain(ended);
    },
    200_000,
  );
});

test.skipIf(cases.length === 0)(
  "nothing at all is converted to nothing",
  async () => {
    const ends = await Promise.all(
      cases.map(({ steps }) => {
        const folder = scratch.fresh();
        mkdirSync(folder);
        return codeOf(pool.run({ input: scratch.file(""), folder, steps, options: {} }, { timeoutMs: 60_000 }));
      }),
    );
    expect(ends.filter((code) => !refusals.includes(code))).toEqual([]);
  },
  200_000,
);
