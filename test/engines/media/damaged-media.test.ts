import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { jobErrors } from "../../../functions/domain/errors/job-errors.ts";
import { type FormatId, formatOf, formats } from "../../../functions/domain/formats/formats.ts";
import { converterPool } from "../../../functions/engines/core/run.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { IS_COMPLETE } from "../../support/run/complete.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";

/** Audio and video of every format, truncated, overwritten or empty. */

const scratch = scratchFolder();
const routes = planRoutes(new Set(installedEngines().keys()));
const pool = converterPool({
  size: availableParallelism(),
  entry: join(import.meta.dirname, "../../../functions/engines/core/converter.ts"),
});
afterAll(() => pool.stop());

const refusals = Object.entries(jobErrors).flatMap(([code, { fault }]) => (fault === "input" ? [code] : []));

/** @returns pseudorandom numbers from 0 to 1, the same in each run */
const numbers = (): (() => number) => {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
};

/** Random bytes written at random offsets below the limit. */
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
  ["complete, with a damaged header", (bytes) => overwritten(bytes, 10, 400)],
  ["complete, with damage everywhere", (bytes) => overwritten(bytes, 100, bytes.length)],
];

const targetsOf = (from: FormatId): readonly FormatId[] => {
  const [first, second] = formatOf(from).family === "audio" ? (["mp3", "wav"] as const) : (["mp4", "mkv"] as const);
  return [from === first ? second : first];
};

const cases = formats
  .filter(({ family }) => family === "audio" || family === "video")
  .flatMap(({ id }) => targetsOf(id).map((to) => ({ from: id, route: routes.find(id, to) })))
  .flatMap(({ from, route }) => (route === undefined ? [] : [{ from, to: route.to, steps: route.steps }]));

/** All damage to all formats in the complete run; otherwise each format has two kinds of damage, and each kind many formats. */
const casesOf = (damage: number) =>
  cases.filter((_, index) => IS_COMPLETE || [index, index + 2].some((at) => at % damages.length === damage));

describe.skipIf(cases.length === 0).each(damages.map(([name, damage], index) => ({ name, damage, index })))(
  "$name",
  ({ damage, index }) => {
    test.concurrent.each(casesOf(index))(
      "of a $from converts to $to or is rejected with a specific error",
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
  },
);

test.skipIf(cases.length === 0)(
  "an empty file is rejected",
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
