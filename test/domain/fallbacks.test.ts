import { expect, test } from "vitest";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { fallbackWarning, READERS_MAX, readerOf } from "../../functions/domain/conversions/plan-fallbacks.ts";
import { formats } from "../../functions/domain/formats/formats.ts";

const routes = planRoutes(new Set(engineIds));

test("each reader of a file is tried once, and at most three in total", () => {
  for (const { from, to, steps } of routes.all) {
    const [first] = steps;
    const tried = first === undefined ? [] : [readerOf(first)];
    for (let next = routes.fallback({ from, to, options: {} }, tried); next !== undefined; ) {
      const [step] = next.steps;
      expect([next.from, next.to, next.steps.at(-1)?.to]).toEqual([from, to, to]);
      tried.push(step === undefined ? "" : readerOf(step));
      next = routes.fallback({ from, to, options: {} }, tried);
    }
    expect(tried.length).toBeLessThanOrEqual(READERS_MAX);
    expect(new Set(tried).size).toBe(tried.length);
  }
});

test("text formats have no fallback: a tolerant reader loses what a strict one reports", () => {
  for (const { id } of formats.filter(({ family }) => ["data", "mail", "geo", "subtitle"].includes(family))) {
    expect(routes.targets(id).map((to) => routes.fallback({ from: id, to, options: {} }, ["text-tables"]))).toEqual(
      routes.targets(id).map(() => undefined),
    );
  }
});

test("a route that does not support an option of the job is not taken", () => {
  const find = (options: object) => routes.fallback({ from: "docx", to: "pdf", options }, ["soffice"]);
  expect(find({})?.steps.map(({ engine }) => engine)).toEqual(["pandoc", "chromium"]);
  expect(find({ pages: "1-2" })).toBeUndefined();
});

test("the warning names the engines, and what the result lost because of the other one", () => {
  const refusal = { code: "source_corrupt", detail: "", tried: ["sharp", "magick"] } as const;
  expect(fallbackWarning({ ...refusal, loses: ["frames", "color_profile"] }, "ffmpeg")).toEqual({
    code: "fallback_engine",
    detail:
      "sharp and magick could not read the file, so it was read with ffmpeg, which does not preserve: frames, color profile.",
  });
});
