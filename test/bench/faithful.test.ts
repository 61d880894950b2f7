import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { compare, missingTokens } from "../../bench/faithful/compare.ts";
import { concurrently } from "../../bench/faithful/concurrently.ts";
import { regressionsFrom, worse } from "../../bench/faithful/floors.ts";
import { wrongLabels } from "../../bench/faithful/labels.ts";
import type { Row } from "../../bench/faithful/measure.ts";
import { pairGroups } from "../../bench/faithful/pairs/all.ts";
import { readCells, readCues, readValues } from "../../bench/faithful/read/tokens.ts";
import { pictureTraits } from "../../bench/faithful/read/traits.ts";
import { badness } from "../../bench/faithful/report.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { fixture } from "../engines/support/fixtures.ts";
import { isInstalled } from "../engines/support/task.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const at = (name: string): string => join(folder.path, name);
const file = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};
const square = async (name: string, color: string): Promise<string> => {
  await sharp({ create: { width: 90, height: 60, channels: 3, background: color } })
    .png()
    .toFile(at(name));
  return at(name);
};

const settings = { looks: true, isProse: false, folder: folder.path };
const row: Row = {
  pair: "docx→pdf",
  file: "fixture/sample.docx",
  kind: "cells",
  fidelity: "lossless",
  drops: [],
  ours: { missing: 0, examples: [], warnings: [], ms: 1 },
};

describe("the comparison of sources and results", () => {
  test("counts each word of the source that the result has less often", () => {
    expect(missingTokens(["a", "a", "b", "c"], ["a", "b", "b"])).toEqual(["a", "c"]);
  });

  test("accepts hyphenated words in prose, but not in cells", async () => {
    const [source, result] = [{ tokens: ["together", "12"] }, { tokens: ["toge", "ther", "120"] }];
    expect(await compare(source, result, { ...settings, isProse: true })).toMatchObject({ missing: 0 });
    expect(await compare(source, result, settings)).toEqual({ missing: 1, examples: ["together", "12"] });
  });

  test("measures pixels, and counts a missing picture as nothing in common", async () => {
    const [black, white] = [await square("black.png", "black"), await square("white.png", "white")];
    const distance = async (source: string[], result: string[]) =>
      (await compare({ tokens: [], pictures: source }, { tokens: [], pictures: result }, settings)).distance;
    expect(await distance([black], [black])).toBe(0);
    // A third of the square around the picture is a white margin.
    expect(await distance([black], [white])).toBeCloseTo(0.67, 1);
    expect(await distance([black, black], [black])).toBe(0.5);
  });

  test("names the features that a result has lost and kept, as far as they are known", async () => {
    const source = { tokens: [], traits: { alpha: true, frames: true, color_profile: true, pictures: false } };
    const { lost, kept } = await compare(source, { tokens: [], traits: { alpha: false, frames: true } }, settings);
    expect([lost, kept]).toEqual([["alpha"], ["frames"]]);
  });

  test("finds transparency, frames and profiles of pictures", async () => {
    const pixels = { create: { width: 4, height: 4, channels: 4, background: "#f008" } } as const;
    const clear = at("clear.png");
    await sharp(pixels).png().toFile(clear);
    expect(await pictureTraits([clear])).toEqual({ alpha: true, frames: false, color_profile: false });
    await sharp(clear).flatten().withIccProfile("p3").toFile(at("wide.jpg"));
    expect(await pictureTraits([at("wide.jpg")])).toEqual({ alpha: false, frames: false, color_profile: true });
    expect(await pictureTraits([fixture("animated.gif")])).toMatchObject({ frames: true });
    expect(await pictureTraits([fixture("pages.tiff")])).toMatchObject({ pages: true });
  });

  test("measures durations and loudness", async () => {
    const reading = (seconds: number, loudness: number) => ({ tokens: [], sound: { seconds, loudness } });
    expect(await compare(reading(10, -20), reading(10.1, -20), settings)).toMatchObject({ distance: 0 });
    expect((await compare(reading(10, -20), reading(5, -20), settings)).distance).toBeCloseTo(0.485);
    expect((await compare(reading(10, -20), reading(10, -30), settings)).distance).toBe(0.5);
  });

  test("finds the same values in every format of data", async () => {
    const values = (format: "json" | "csv" | "xml", text: string) =>
      readValues({ paths: [file(`values.${format}`, text)], format, folder: folder.path });
    const json = await values("json", '[{"id":1.0,"ok":true,"deep":{"at":"2026-01-05"},"none":null}]');
    expect(json.tokens).toEqual(["id=1", "ok=true", "at=2026-01-05"]);
    expect((await values("csv", "id,ok,deep.at,none\n1,true,2026-01-05,\n")).tokens).toEqual(json.tokens);
    const xml = "<rows><row id='1'><ok>true</ok><deep><at>2026-01-05</at></deep></row></rows>";
    expect((await values("xml", xml)).tokens).toEqual(json.tokens);
  });

  test("reads cells with decimal commas as a workbook stores them", async () => {
    const path = file("national.csv", "Sum;Day\n1.234,50;05.01.2024\n1.2.3;x\n");
    const { tokens } = await readCells({ paths: [path], format: "csv", folder: folder.path });
    expect(tokens).toEqual(["Sum", "Day", "1234.5", "2024-01-05", "1.2.3", "x"]);
  });

  test.skipIf(!isInstalled("ffmpeg"))("reads cues with their times and without their styles", async () => {
    const path = file("cues.srt", "1\n01:00:01,250 --> 01:00:02,000\n<i>One</i>\nline\n");
    expect(await readCues({ paths: [path], format: "srt", folder: folder.path })).toEqual({
      tokens: ["3601.3-3602.0 One line"],
    });
  });
});

describe("the verdict", () => {
  test("a file with a floor that could not be compared is a regression", () => {
    const floors = { [row.pair]: { [row.file]: [0] as const, "made/new.docx": "failed" as const } };
    const cases = [row, { pair: row.pair, file: "made/new.docx" }, { pair: row.pair, file: "made/other.docx" }];
    expect(regressionsFrom(floors, [row], cases)).toEqual([]);
    expect(regressionsFrom(floors, [], cases)).toEqual(["docx→pdf fixture/sample.docx: not compared"]);
  });

  test("a result that is worse than its floor is a regression", () => {
    const ours = (missing: number, distance: number) => ({ ...row, ours: { ...row.ours, missing, distance } });
    expect(worse(ours(0.1, 0.2), [0.1, 0.2])).toEqual([]);
    expect(worse(ours(0.2, 0.2), [0.1, 0.2])).toHaveLength(1);
    expect(worse(ours(0.1, 0.3), [0.1, 0.2])).toHaveLength(1);
    expect(worse(ours(0, 0.008), [0, 0])).toEqual([]);
    expect(worse({ ...ours(0, 0.008), kind: "picture" }, [0, 0])).toHaveLength(1);
    expect(worse({ ...row, ours: { failure: "source_corrupt", warnings: [], ms: 1 } }, [0.1])).toHaveLength(1);
  });

  test("a lossless pair may lack something only with a warning", () => {
    const lacking = { ...row, ours: { ...row.ours, missing: 0.1 } };
    expect(wrongLabels([row, lacking])).toEqual([lacking]);
    expect(wrongLabels([{ ...lacking, ours: { ...lacking.ours, warnings: ["values_dropped"] } }])).toEqual([]);
    expect(wrongLabels([{ ...lacking, fidelity: "lossy" }])).toEqual([]);
  });

  test("features are lost or kept as the table of conversions says", () => {
    const labeled = (drops: readonly string[], ours: Partial<Row["ours"]>): Row => ({
      ...row,
      fidelity: "lossy",
      drops,
      ours: { ...row.ours, ...ours },
    });
    const [undeclared, untrue] = [labeled([], { lost: ["alpha"] }), labeled(["frames"], { kept: ["frames"] })];
    expect(wrongLabels([undeclared, untrue])).toEqual([undeclared, untrue]);
    expect(wrongLabels([labeled(["alpha"], { lost: ["alpha"] }), labeled([], { kept: ["alpha"] })])).toEqual([]);
    expect(wrongLabels([labeled([], { lost: ["alpha"], warnings: ["alpha_dropped"] })])).toEqual([]);
  });

  test("the worst result is the one with the largest difference from the reference tool", () => {
    const lacking = { ...row, ours: { ...row.ours, missing: 0.5 } };
    const reference = { tool: "soffice", missing: 0.4, warnings: [], ms: 1 };
    expect(badness(lacking)).toBe(0.5);
    expect(badness({ ...lacking, reference })).toBeCloseTo(0.1);
    expect(badness({ ...lacking, reference: { tool: "soffice", failure: "crashed", warnings: [], ms: 1 } })).toBe(0.5);
  });
});

test("every compared pair is a conversion of this service", () => {
  const routes = planRoutes(new Set(installedEngines().keys()));
  const pairs = Object.values(pairGroups).flat();
  expect(pairs.length).toBeGreaterThan(60);
  expect(new Set(pairs.map(({ from, to }) => `${from} ${to}`)).size).toBe(pairs.length);
  expect(pairs.filter(({ from, to }) => routes.find(from, to) === undefined)).toEqual([]);
});

test("concurrent work keeps the order of its results", async () => {
  const results = await concurrently([30, 1, 10], 2, async (milliseconds, index) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return index;
  });
  expect(results).toEqual([0, 1, 2]);
});
