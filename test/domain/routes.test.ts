import { describe, expect, test } from "vitest";
import type { Conversion } from "../../functions/domain/conversion.ts";
import { conversions } from "../../functions/domain/conversions.ts";
import { formatOf, formats } from "../../functions/domain/formats.ts";
import { planRoutes } from "../../functions/domain/routes.ts";

const all = planRoutes(new Set(["sharp", "magick"]));
const conversion = (over: Partial<Conversion>): Conversion => ({
  from: "jpg",
  to: "png",
  engine: "sharp",
  fidelity: "lossless",
  options: [],
  costMs: 100,
  ...over,
});

test("every route leads from its source to its target, by conversions that are declared", () => {
  for (const { from, to, steps } of all.all) {
    expect(steps[0]?.from).toBe(from);
    expect(steps.at(-1)?.to).toBe(to);
    for (const [index, step] of steps.entries()) {
      expect(conversions).toContainEqual(
        expect.objectContaining({ from: step.from, to: step.to, engine: step.engine }),
      );
      expect(index === 0 || steps[index - 1]?.to === step.from).toBe(true);
    }
  }
});

test("every route has at most three steps, and only formats in its middle that lose nothing", () => {
  for (const { steps } of all.all) {
    expect(steps.length).toBeLessThanOrEqual(3);
    expect(steps.slice(0, -1).every(({ to }) => formatOf(to).hub)).toBe(true);
  }
});

test("each option of a route belongs to one step, and no step has another", () => {
  for (const { steps, options } of all.all) {
    const bound = steps.flatMap((step) => step.options);
    expect(bound.toSorted()).toEqual(options.toSorted());
    expect(new Set(bound).size).toBe(bound.length);
  }
});

test("a conversion that sharp does alone takes one step", () => {
  const direct = conversions.filter(({ engine }) => engine === "sharp").map(({ from }) => from);
  for (const { from, steps } of all.all.filter(({ from }) => direct.includes(from))) {
    expect([from, steps.length]).toEqual([from, 1]);
  }
});

test("a HEIC becomes all that a PNG becomes, and even a PNG goes through sharp, which honours options", () => {
  expect(all.targets("heic")).toEqual(expect.arrayContaining([...all.targets("png")]));
  expect(all.find("heic", "png")?.steps.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
  expect(all.find("heic", "jpg")).toMatchObject({ fidelity: "lossy", options: expect.arrayContaining(["quality"]) });
});

test("an engine that is not there takes its conversions away, and what hangs on them", () => {
  const without = planRoutes(new Set(["sharp"]));
  expect(without.targets("heic")).toEqual([]);
  expect(without.targets("jpg")).toEqual(all.targets("jpg"));
  expect(planRoutes(new Set()).all).toEqual([]);
});

test("nothing leads to a format that nothing writes, or from one that nothing reads", () => {
  for (const { id } of formats) {
    const [read, written] = [conversions.some(({ from }) => from === id), conversions.some(({ to }) => to === id)];
    expect(all.targets(id).length > 0).toBe(read);
    expect(all.all.some(({ to }) => to === id)).toBe(written);
  }
});

describe("the best of several routes", () => {
  const best = (...some: readonly Conversion[]) => planRoutes(new Set(["sharp", "magick"]), some).find("webp", "gif");
  const steps = (...some: readonly Conversion[]) => best(...some)?.steps.map(({ from, to }) => `${from}>${to}`);

  test("loses least of what both ends can carry, though it costs more", () => {
    const through = [conversion({ from: "webp", to: "png" }), conversion({ from: "png", to: "gif" })];
    const direct = conversion({ from: "webp", to: "gif", fidelity: "lossy", costMs: 9_000 });
    expect(steps(...through, direct)).toEqual(["webp>gif"]);
    expect(steps(...through)).toEqual(["webp>png", "png>gif"]);
  });

  test("is lossy when any of its steps is", () => {
    const through = [
      conversion({ from: "webp", to: "png" }),
      conversion({ from: "png", to: "gif", fidelity: "lossy" }),
    ];
    expect(best(...through)?.fidelity).toBe("lossy");
  });

  test("is the cheaper one when all else is equal", () => {
    const [dear, cheap] = [200, 100].map((costMs, index) =>
      conversion({ from: "webp", to: "gif", costMs, engine: index === 0 ? "sharp" : "magick" }),
    );
    expect(dear && cheap && best(dear, cheap)?.steps[0]?.engine).toBe("magick");
  });

  test("never goes through a format that is no hub", () => {
    expect(best(conversion({ from: "webp", to: "jpg" }), conversion({ from: "jpg", to: "gif" }))).toBeUndefined();
  });
});
