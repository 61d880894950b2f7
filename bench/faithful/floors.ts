import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Row } from "./measure.ts";

/** The stored differences of each file and pair. A change that makes one larger is a regression. */

const PATH = join(import.meta.dirname, "floors.json");

/** Other versions of the programs that read results differ slightly. */
const MISSING_MARGIN = 0.01;
const DISTANCE_MARGIN = 0.03;
/** The labels that a diagram of boxes loses are 0.008 of its pixels. */
const PICTURE_MARGIN = 0.005;

/** `failed`, or the share that is missing and the distance, if there is something to see. */
type Floor = "failed" | readonly [missing: number, distance?: number];

export type Floors = Readonly<Record<string, Readonly<Record<string, Floor>>>>;

/** A pair and a file that were to be compared. */
export type Case = Pick<Row, "pair" | "file">;

/**
 * @returns a line for each file that is worse than its floor, or has a floor and no result: its pair is gone, or its
 * source cannot be read. Files without a floor are not compared
 */
export const regressions = async (rows: readonly Row[], cases: readonly Case[]): Promise<string[]> =>
  regressionsFrom(await readFloors(), rows, cases);

/** As {@link regressions}, with these floors. */
export const regressionsFrom = (floors: Floors, rows: readonly Row[], cases: readonly Case[]): string[] => {
  const floorOf = ({ pair, file }: Case): Exclude<Floor, "failed"> | undefined => {
    const floor = floors[pair]?.[file];
    return floor === "failed" ? undefined : floor;
  };
  const compared = new Set(rows.map(({ pair, file }) => `${pair} ${file}`));
  const absent = cases.filter((each) => floorOf(each) !== undefined && !compared.has(`${each.pair} ${each.file}`));
  return [
    ...rows.flatMap((row) => {
      const floor = floorOf(row);
      return floor === undefined ? [] : worse(row, floor);
    }),
    ...absent.map(({ pair, file }) => `${pair} ${file}: not compared`),
  ];
};

/** @returns a line for each value that is worse than the floor */
export const worse = ({ pair, file, kind, ours }: Row, [missing, distance]: Exclude<Floor, "failed">): string[] => {
  const name = `${pair} ${file}`;
  if (ours.failure !== undefined) {
    return [`${name}: ${ours.failure}`];
  }
  const lines: string[] = [];
  const margin = kind === "picture" ? PICTURE_MARGIN : DISTANCE_MARGIN;
  if ((ours.missing ?? 0) > missing + MISSING_MARGIN) {
    lines.push(`${name}: missing is ${ours.missing?.toFixed(3)}, the floor is ${missing}: ${ours.examples?.join(" ")}`);
  }
  if (distance !== undefined && (ours.distance ?? 1) > distance + margin) {
    lines.push(`${name}: distance is ${(ours.distance ?? 1).toFixed(3)}, the floor is ${distance}`);
  }
  return lines;
};

/** Stores the measured differences. Floors of files that were not measured stay. */
export const saveFloors = async (rows: readonly Row[]): Promise<void> => {
  const floors: Record<string, Record<string, Floor>> = {};
  for (const [pair, files] of Object.entries(await readFloors())) {
    floors[pair] = { ...files };
  }
  for (const { pair, file, ours } of rows) {
    const { missing = 0, distance } = ours;
    const values = [missing, ...(distance === undefined ? [] : [distance])].map(
      (value) => Math.ceil(1_000 * value) / 1_000,
    );
    const floor = ours.failure === undefined ? (values as unknown as Floor) : "failed";
    floors[pair] = { ...floors[pair], [file]: floor };
  }
  await writeFile(PATH, text(floors));
};

/** One line for each file, so that a change is visible. */
const text = (floors: Floors): string => {
  const pairs = sorted(floors).map(([pair, files]) => {
    const lines = sorted(files).map(
      ([file, floor]) => `    ${JSON.stringify(file)}: ${JSON.stringify(floor).replace(",", ", ")}`,
    );
    return `  ${JSON.stringify(pair)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n${pairs.join(",\n")}\n}\n`;
};

const sorted = <T>(values: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));

const readFloors = async (): Promise<Floors> =>
  existsSync(PATH) ? (JSON.parse(await readFile(PATH, "utf8")) as Floors) : {};
