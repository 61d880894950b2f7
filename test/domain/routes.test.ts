import { describe, expect, test } from "vitest";
import type { Conversion } from "../../functions/domain/conversions/conversion.ts";
import { conversions } from "../../functions/domain/conversions/conversions.ts";
import { engineIds, laneHolds } from "../../functions/domain/conversions/engines.ts";
import { syntaxOptions } from "../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { formatOf, formats } from "../../functions/domain/formats/formats.ts";

const all = planRoutes(new Set(engineIds));
const pictures = planRoutes(new Set(["sharp", "magick"]));
const conversion = (over: Partial<Conversion>): Conversion => ({
  from: "jpg",
  to: "png",
  engine: "sharp",
  fidelity: "lossless",
  options: [],
  costMs: 100,
  ...over,
});

test("every route leads from its source to its target by declared conversions", () => {
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

test("every route has at most three steps, with only lossless intermediate formats", () => {
  for (const { steps } of all.all) {
    expect(steps.length).toBeLessThanOrEqual(3);
    expect(steps.slice(0, -1).every(({ to }) => formatOf(to).hub)).toBe(true);
  }
});

test("each option of a route belongs to one step, and no step has any other", () => {
  for (const { steps, options } of all.all) {
    const bound = steps.flatMap((step) => step.options);
    expect(bound.toSorted()).toEqual(options.toSorted());
    expect(new Set(bound).size).toBe(bound.length);
  }
});

test("a conversion that sharp can do takes one step", () => {
  const direct = conversions.filter(({ engine }) => engine === "sharp");
  for (const { from, to } of direct) {
    // Sharp writes only the first frame of an animation to AVIF.
    const engine = (from === "gif" || from === "apng") && to === "avif" ? "avif" : "sharp";
    expect([from, to, all.find(from, to)?.steps.map((step) => step.engine)]).toEqual([from, to, [engine]]);
  }
});

test("an intermediate format is in the family of the source or target, or is allowed for the source", () => {
  for (const { from, to, steps } of all.all) {
    const ends = [formatOf(from).family, formatOf(to).family];
    const strange = steps.slice(0, -1).filter((step) => !ends.includes(formatOf(step.to).family));
    const between = strange.map((step) => formatOf(step.to).between?.includes(formatOf(from).family));
    expect([from, to, between]).toEqual([from, to, between.map(() => true)]);
  }
});

test("there are no absurd routes: archive to image, video to table, table to contacts", () => {
  expect(all.find("tar", "png")).toBeUndefined();
  expect(all.find("zip", "png")?.steps.map(({ engine }) => engine)).toEqual(["web"]);
  expect(all.find("parquet", "vcf")).toBeUndefined();
  expect(all.find("ttf", "pdf")).toBeUndefined();
});

test("a route loses what its source has and its result cannot hold", () => {
  expect(all.find("gif", "jpg")?.drops).toEqual(expect.arrayContaining(["frames", "alpha"]));
  expect(all.find("gif", "webp")?.drops).not.toContain("frames");
  expect(all.find("gif", "mp4")?.drops).toEqual(["alpha"]);
  expect(all.find("mp4", "gif")?.drops).not.toContain("moving_pictures");
  expect(all.find("mp4", "jpg")?.drops).toContain("moving_pictures");
  expect(all.find("docx", "txt")?.drops).toEqual(expect.arrayContaining(["styles", "pictures"]));
});

test("an option for reading the source belongs to the first step or to none", () => {
  const steps = all.find("pdf", "md")?.steps.map(({ to, options }) => [to, options.includes("password")]);
  expect(steps).toEqual([
    ["html", true],
    ["md", false],
  ]);
  expect(all.find("docx", "md")?.options).not.toContain("encoding");
});

test("a declared pair is converted directly unless another route loses less or supports more than syntax options", () => {
  const usual = conversions.filter(({ optIn }) => optIn === undefined);
  const direct = new Map(usual.map((each) => [`${each.from} ${each.to}`, each]));
  for (const { from, to, steps, options, drops } of all.all.filter(({ steps }) => steps.length > 1)) {
    const straight = direct.get(`${from} ${to}`);
    const more = options.some((name) => !straight?.options.includes(name) && !syntaxOptions.has(name));
    const less = straight?.loses?.some((trait) => !drops.includes(trait)) ?? false;
    expect([from, to, straight === undefined || more || less]).toEqual([from, to, true]);
    expect(steps).not.toHaveLength(0);
  }
  expect(all.find("csv", "parquet")?.steps).toHaveLength(1);
});

test("an option for writing the result belongs to the last step or to none", () => {
  expect(all.find("xlsx", "json")?.options).toContain("indent");
  expect(all.find("json", "csv")?.options).not.toContain("indent");
  expect(all.find("sqlite", "parquet")?.options).not.toContain("indent");
});

test("a route uses the first lane that has all its engines", () => {
  expect([all.find("png", "jpg")?.lane, all.find("csv", "parquet")?.lane]).toEqual(["fast", "data"]);
  for (const { steps, lane } of all.all) {
    expect(steps.every(({ engine }) => laneHolds(lane, engine))).toBe(true);
  }
});

test("HEIC has all targets of PNG, and even PNG to PNG uses sharp, which supports options", () => {
  expect(all.targets("heic")).toEqual(expect.arrayContaining([...all.targets("png")]));
  expect(pictures.find("heic", "png")?.steps.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
  expect(all.find("heic", "jpg")).toMatchObject({ fidelity: "lossy", options: expect.arrayContaining(["quality"]) });
});

test("a missing engine removes its conversions and the routes that depend on them", () => {
  const without = planRoutes(new Set(["sharp"]));
  // The header of a HEIC needs no decoder.
  expect(without.targets("heic")).toEqual(["json"]);
  expect(pictures.targets("heic")).toEqual(expect.arrayContaining([...without.targets("png")]));
  expect(pictures.targets("jpg")).toEqual(expect.arrayContaining([...without.targets("jpg")]));
  expect(planRoutes(new Set()).all).toEqual([]);
});

test("no route leads to a format without a writer, or from one without a reader", () => {
  for (const { id } of formats) {
    const [read, written] = [conversions.some(({ from }) => from === id), conversions.some(({ to }) => to === id)];
    expect(all.targets(id).length > 0).toBe(read);
    expect(all.all.some(({ to }) => to === id)).toBe(written);
  }
});

describe("the best of several routes", () => {
  const best = (...some: readonly Conversion[]) =>
    planRoutes(new Set(["sharp", "magick"]), { conversions: some }).find("webp", "gif");
  const steps = (...some: readonly Conversion[]) => best(...some)?.steps.map(({ from, to }) => `${from}>${to}`);

  test("loses the least of what both formats support, though it costs more", () => {
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

  test("is the cheaper one when everything else is equal", () => {
    const [dear, cheap] = [200, 100].map((costMs, index) =>
      conversion({ from: "webp", to: "gif", costMs, engine: index === 0 ? "sharp" : "magick" }),
    );
    expect(dear && cheap && best(dear, cheap)?.steps[0]?.engine).toBe("magick");
  });

  test("only uses hub formats as intermediate formats", () => {
    expect(best(conversion({ from: "webp", to: "jpg" }), conversion({ from: "jpg", to: "gif" }))).toBeUndefined();
  });

  test("supports the options that select it, though another is cheaper", () => {
    const usual = conversion({ from: "webp", to: "gif", costMs: 10 });
    const special = conversion({ from: "webp", to: "gif", costMs: 900, engine: "magick", options: ["quality"] });
    const table = planRoutes(new Set(["sharp", "magick"]), {
      conversions: [usual, { ...special, optIn: ["quality"] }],
    });
    expect(table.find("webp", "gif")?.steps[0]?.engine).toBe("sharp");
    expect(table.find("webp", "gif", ["quality"])?.steps[0]?.engine).toBe("magick");
    expect(table.optionsOf("webp", "gif").options).toEqual(["quality"]);
  });
});

test.each(["docx", "xlsx", "xls", "xlsb", "ods"] as const)("an encrypted %s opens for all targets", (from) => {
  const closed = all.targets(from).filter((to) => !all.find(from, to, ["password"])?.options.includes("password"));
  expect(closed).toEqual([]);
});

test("a pair offers the options of all engines that change PDFs", () => {
  const { options } = all.optionsOf("pdf", "pdf");
  expect(options).toEqual(expect.arrayContaining(["pages", "password", "split", "ocr", "compress", "user_password"]));
});
