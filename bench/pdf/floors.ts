import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Measurement } from "./measure.ts";
import { classOf, type Summary, summaryOf } from "./report.ts";

/** Stored scores of each class, for Word and for each other format. A change that makes one worse is a regression. */

const PATH = join(import.meta.dirname, "floors.json");
/** Other versions of Chromium and LibreOffice print and render slightly differently. */
const MARGIN = 0.015;

const HIGHER_IS_BETTER = ["order", "cells", "style", "pages"] as const satisfies readonly (keyof Summary)[];
const LOWER_IS_BETTER = ["falseTables", "distance"] as const satisfies readonly (keyof Summary)[];

type Floor = Partial<Record<keyof Summary, number>>;

/** @returns a line for each score that is worse than its floor. Classes that were not measured are not compared */
export const regressions = async (rows: readonly Measurement[]): Promise<string[]> => {
  const floors = existsSync(PATH) ? (JSON.parse(await readFile(PATH, "utf8")) as Record<string, Floor>) : {};
  return [...groups(rows)].flatMap(([name, group]) => {
    const [floor, summary] = [floors[name] ?? {}, summaryOf(group)];
    if (floor.files !== summary.files) {
      return [];
    }
    const worse = (key: keyof Summary, sign: 1 | -1): string[] => {
      const [bound, value] = [floor[key], summary[key]];
      const margin = key === "falseTables" ? 0 : MARGIN;
      const isWorse = bound !== undefined && (value === undefined || sign * value < sign * bound - margin);
      return isWorse ? [`${name}: ${key} is ${value?.toFixed(3) ?? "missing"}, the floor is ${bound}`] : [];
    };
    return [...HIGHER_IS_BETTER.flatMap((key) => worse(key, 1)), ...LOWER_IS_BETTER.flatMap((key) => worse(key, -1))];
  });
};

/** Stores the measured scores. Floors of classes and scores that were not measured stay. */
export const saveFloors = async (rows: readonly Measurement[]): Promise<void> => {
  const floors = existsSync(PATH) ? (JSON.parse(await readFile(PATH, "utf8")) as Record<string, Floor>) : {};
  for (const [name, group] of groups(rows)) {
    const summary = summaryOf(group);
    const keys = ["files", ...HIGHER_IS_BETTER, ...LOWER_IS_BETTER] as const;
    const known = keys.flatMap((key) => {
      const value = summary[key];
      return value === undefined ? [] : [[key, Math.round(value * 1_000) / 1_000] as const];
    });
    floors[name] = { ...floors[name], ...Object.fromEntries(known) };
  }
  const sorted = Object.fromEntries(Object.entries(floors).sort(([one], [other]) => one.localeCompare(other, "en")));
  await writeFile(PATH, `${JSON.stringify(sorted, undefined, 2)}\n`);
};

const groups = (rows: readonly Measurement[]): Map<string, Measurement[]> =>
  Map.groupBy(rows, (row) => `${classOf(row)} ${row.target}`);
