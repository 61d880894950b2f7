import { printTable } from "../support/figures.ts";
import { wrongLabels } from "./labels.ts";
import type { Outcome, Row } from "./measure.ts";

/** Prints the differences of the pairs, and the worst files. */

export const printPairs = (rows: readonly Row[]): void => {
  const table = [...Map.groupBy(rows, ({ pair }) => pair)].map(([pair, own]) => {
    const ours = own.map((row) => row.ours);
    const others = own.flatMap(({ reference }) => (reference === undefined ? [] : [reference]));
    return [pair, own[0]?.fidelity ?? "", String(own.length), ...cells(ours), others[0]?.tool ?? "–", ...cells(others)];
  });
  const head = ["failed", "missing", "distance"];
  printTable([["pair", "label", "files", ...head, "reference", ...head], ...table]);
};

const cells = (outcomes: readonly Outcome[]): string[] => [
  outcomes.length === 0 ? "–" : String(outcomes.filter(({ failure }) => failure !== undefined).length),
  percent(mean(outcomes.map(({ missing }) => missing))),
  fixed(mean(outcomes.map(({ distance }) => distance))),
];

const mean = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
};

const percent = (share: number | undefined): string => (share === undefined ? "–" : `${(100 * share).toFixed(1)} %`);
const fixed = (value: number | undefined): string => value?.toFixed(3) ?? "–";

/** How much worse a result is than the reference's, or than its source if there is no reference. */
export const badness = ({ ours, reference }: Row): number => {
  if (ours.failure !== undefined) {
    return reference === undefined || reference.failure === undefined ? 2 : 0;
  }
  const own = (ours.missing ?? 0) + (ours.distance ?? 0);
  const isComparable = reference !== undefined && reference.failure === undefined;
  return own - (isComparable ? Math.min(own, (reference.missing ?? 0) + (reference.distance ?? 0)) : 0);
};

const WORST = 10;

export const printWorst = (rows: readonly Row[]): void => {
  console.log(
    `\nThe ${WORST} results that are worst, compared with the reference tool, or with the source if there is none:`,
  );
  const worst = rows.filter((row) => badness(row) > 0).toSorted((one, other) => badness(other) - badness(one));
  for (const { pair, file, ours, reference } of worst.slice(0, WORST)) {
    console.log(
      `- ${pair} ${file}: ${described(ours)}; ${reference?.tool ?? "no reference"}${reference === undefined ? "" : `: ${described(reference)}`}`,
    );
  }
};

const described = ({ failure, missing, distance, examples = [], warnings }: Outcome): string => {
  if (failure !== undefined) {
    return failure;
  }
  const found = examples.length === 0 ? "" : ` (${examples.join(" | ")})`;
  const noted = warnings.length === 0 ? "" : `, warnings ${warnings.join(", ")}`;
  return `missing ${percent(missing)}${found}, distance ${fixed(distance)}${noted}`;
};

/** Prints results that lack something which neither a warning nor the table of conversions says. */
export const printLabels = (rows: readonly Row[]): void => {
  const wrong = wrongLabels(rows);
  console.log(
    `\nLosses without a warning that the table of conversions does not declare, or false ones: ${wrong.length}`,
  );
  for (const { pair, file, drops, ours } of wrong) {
    const features = [
      `lost ${ours.lost?.join() ?? "–"}`,
      `kept ${ours.kept?.join() ?? "–"}`,
      `declared ${drops.join()}`,
    ];
    console.log(`- ${pair} ${file}: ${described(ours)}; ${features.join("; ")}`);
  }
};
