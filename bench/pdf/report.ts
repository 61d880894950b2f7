import { printTable, quantile } from "../support/figures.ts";
import type { Target } from "./converters.ts";
import type { Measurement } from "./measure.ts";

/** Means of a group of measurements; undefined where none has the score. */
export interface Summary {
  readonly files: number;
  readonly failures: number;
  readonly order: number | undefined;
  readonly cells: number | undefined;
  readonly style: number | undefined;
  readonly falseTables: number | undefined;
  /** Share of the files with the same number of pages, ±1. */
  readonly pages: number | undefined;
  readonly distance: number | undefined;
  readonly similarity: number | undefined;
}

const meanOf = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
};

/** The order of words of a failed conversion counts as 0. A workbook of a file without tables is not a failure. */
export const summaryOf = (group: readonly Measurement[]): Summary => {
  const scored = (pick: (one: Measurement) => number | undefined) => meanOf(group.map(pick));
  const falseTables = group.map(({ score }) => score.falseTables).filter((count) => count !== undefined);
  return {
    files: group.length,
    failures: group.filter(({ failure }) => failure !== undefined).length,
    order: scored(({ score, failure, target }) => (failure === undefined || target === "xlsx" ? score.order : 0)),
    cells: scored(({ score }) => score.cells),
    style: scored(({ score }) => score.style?.mean),
    falseTables: falseTables.length === 0 ? undefined : falseTables.reduce((sum, count) => sum + count, 0),
    pages: scored(({ picture }) => (picture === undefined ? undefined : Number(Math.abs(picture.pages) <= 1))),
    distance: scored(({ picture }) => picture?.distance),
    similarity: scored(({ picture }) => picture?.similarity),
  };
};

const number = (value: number | undefined, digits = 3): string => (value === undefined ? "" : value.toFixed(digits));

const HEADER = ["files", "failed", "order", "cells", "false tables", "style", "pages ±1", "distance", "similarity"];

const cellsOf = (summary: Summary): string[] => [
  String(summary.files),
  String(summary.failures),
  number(summary.order),
  number(summary.cells),
  number(summary.falseTables, 0),
  number(summary.style),
  number(summary.pages, 2),
  number(summary.distance),
  number(summary.similarity),
];

const grouped = (rows: readonly Measurement[], keyOf: (row: Measurement) => string): Map<string, Measurement[]> =>
  Map.groupBy(rows, keyOf);

/** Group of a class: samples and real files are separate. */
export const classOf = ({ kind, known }: Measurement): string => `${known ? "sample" : "file"} ${kind}`;

/** One row for each converter and format, over all samples and over all real files. */
export const printConverters = (rows: readonly Measurement[]): void => {
  for (const known of [true, false]) {
    const groups = grouped(
      rows.filter((row) => row.known === known),
      ({ converter, target }) => `${converter} ${target}`,
    );
    console.log(`\nAll ${known ? "samples" : "real files"}`);
    printTable([["converter", ...HEADER], ...[...groups].map(([name, group]) => [name, ...cellsOf(summaryOf(group))])]);
  }
};

const SCORES = {
  order: (summary: Summary) => number(summary.order),
  cells: (summary: Summary) => number(summary.cells),
  "false tables": (summary: Summary) => number(summary.falseTables, 0),
  style: (summary: Summary) => number(summary.style),
  "pages ±1": (summary: Summary) => number(summary.pages, 2),
  distance: (summary: Summary) => number(summary.distance),
} as const;

/** For each score one table: classes by converters. */
export const printClasses = (rows: readonly Measurement[]): void => {
  const columns = [...new Set(rows.map(({ converter, target }) => `${converter} ${target}`))];
  const classes = [...grouped(rows, classOf)];
  for (const [score, show] of Object.entries(SCORES)) {
    const lines = classes.map(([name, group]) => {
      const byColumn = grouped(group, ({ converter, target }) => `${converter} ${target}`);
      return [name, ...columns.map((column) => show(summaryOf(byColumn.get(column) ?? [])))];
    });
    const used = columns.map((_, index) => lines.some((line) => line[index + 1] !== ""));
    const pick = (line: readonly string[]) => line.filter((_, index) => index === 0 || used[index - 1] === true);
    const filled = lines.filter((line) => line.slice(1).some(Boolean));
    console.log(`\n${score}`);
    printTable([pick(["class", ...columns]), ...filled.map(pick)]);
  }
};

/** One row for each file: the scores of one converter. */
export const printFiles = (rows: readonly Measurement[], converter: string): void => {
  const own = rows.filter((row) => row.converter === converter);
  const lines = [...grouped(own, ({ name }) => name)].map(([name, group]) => {
    const of = (target: Target) => group.find((row) => row.target === target);
    const docx = of("docx");
    const failures = group.filter(({ failure }) => failure !== undefined).map(({ target }) => target);
    return [
      name,
      docx?.kind ?? "",
      String(docx?.pages ?? ""),
      number(docx?.score.order),
      number(of("txt")?.score.order),
      number(of("html")?.score.order),
      number(docx?.score.cells),
      number(of("xlsx")?.score.cells),
      number(docx?.score.falseTables, 0),
      number(docx?.score.style?.mean),
      number(docx?.picture?.pages, 0),
      number(docx?.picture?.distance),
      docx === undefined ? "" : (docx.ms / Math.max(1, docx.pages)).toFixed(0),
      failures.join(" "),
    ];
  });
  const header = ["file", "class", "pages", "order docx", "txt", "html", "cells docx", "xlsx", "false tables", "style"];
  console.log(`\nFiles by ${converter}`);
  printTable([[...header, "pages ±", "distance", "ms/page", "failed"], ...lines]);
};

const WORST = 10;

/** @returns what is lost: 0 for a perfect result */
const loss = ({ score, picture, failure }: Measurement): number =>
  failure === undefined
    ? 1 -
      (score.order ?? 1) +
      (1 - (score.cells ?? 1)) +
      (1 - (score.style?.mean ?? 1)) +
      0.3 * (score.falseTables ?? 0) +
      0.3 * Math.min(3, Math.abs(picture?.pages ?? 0)) +
      0.5 * (picture?.distance ?? 0)
    : 3;

export const printWorst = (rows: readonly Measurement[], converter: string): void => {
  const own = rows.filter((row) => row.converter === converter && row.target === "docx");
  const worst = own.toSorted((one, other) => loss(other) - loss(one)).slice(0, WORST);
  console.log(`\nWorst by ${converter}`);
  for (const row of worst) {
    const { name, score, picture, failure } = row;
    const parts = [
      `order ${number(score.order)}`,
      `cells ${number(score.cells)}`,
      `false tables ${score.falseTables ?? ""}`,
      `style ${number(score.style?.mean)}`,
      `pages ${picture?.pages ?? ""}`,
      `distance ${number(picture?.distance)}`,
    ];
    console.log(`${loss(row).toFixed(2)}  ${name}: ${failure ?? parts.join(", ")}`);
  }
};

export const printCost = (rows: readonly Measurement[], converter: string): void => {
  const own = rows.filter((row) => row.converter === converter && row.failure === undefined);
  const lines = [...grouped(own, ({ target }) => target)].map(([target, group]) => {
    const perPage = group.map(({ ms, pages }) => ms / Math.max(1, pages));
    const memory = group.map(({ memoryBytes }) => memoryBytes / 1e6);
    return [
      target,
      quantile(perPage, 0.5).toFixed(0),
      quantile(perPage, 0.95).toFixed(0),
      Math.max(...memory).toFixed(0),
    ];
  });
  console.log(`\nTime and memory of ${converter}`);
  printTable([["format", "ms/page p50", "p95", "peak MB"], ...lines]);
};
