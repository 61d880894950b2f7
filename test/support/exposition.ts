/**
 * A strict parser of Prometheus's text format, version 0.0.4 (prometheus.io, "Exposition formats"). It rejects what
 * Prometheus rejects, and also what Prometheus accepts silently: samples outside their group, duplicate series,
 * histogram buckets that decrease or do not end at their count.
 */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const TYPES = ["counter", "gauge", "histogram", "summary", "untyped"];
const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (-?(?:[0-9.]+(?:e[+-]?[0-9]+)?)|[+-]Inf|NaN)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

/** @throws Error with the line and the reason */
export const readExposition = (text: string): readonly Family[] => {
  if (text !== "" && !text.endsWith("\n")) {
    throw new Error("The last line has no line ending.");
  }
  const families = new Map<string, { help?: string; type?: string; samples: Sample[] }>();
  let current = "";
  for (const line of text.split("\n").slice(0, -1)) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === undefined) {
      addSample(families.get(current), current, line);
      continue;
    }
    if (!new RegExp(`^${NAME}$`).test(name) || (name !== current && families.has(name))) {
      throw new Error(`Invalid or repeated name: ${line}`);
    }
    current = name;
    const family = families.get(name) ?? { samples: [] };
    families.set(name, family);
    const field = keyword === "HELP" ? "help" : "type";
    if (family[field] !== undefined || family.samples.length > 0 || (field === "type" && !TYPES.includes(rest))) {
      throw new Error(`Duplicate, misplaced, or without a valid type: ${line}`);
    }
    family[field] = rest;
  }
  return [...families].map(([name, { help = "", type = "", samples }]) => checked({ name, help, type, samples }));
};

const addSample = (family: { samples: Sample[]; type?: string } | undefined, name: string, line: string): void => {
  const [, found = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  const base = family?.type === "histogram" ? found.replace(/_(?:bucket|sum|count)$/, "") : found;
  if (family === undefined || base !== name) {
    throw new Error(`Not a sample of the group ${name}: ${line}`);
  }
  family.samples.push({ name: found, labels: labelsOf(labels, line), value: numberOf(value) });
};

const numberOf = (text: string): number =>
  text.endsWith("Inf") ? Number(text.replace("Inf", "Infinity")) : Number(text);

const labelsOf = (text: string, line: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const [whole, name = "", value = ""] = LABEL.exec(rest) ?? [];
    if (whole === undefined || name in labels || name.startsWith("__")) {
      throw new Error(`Invalid or duplicate labels: ${line}`);
    }
    labels[name] = value;
    rest = rest.slice(whole.length);
  }
  return labels;
};

const checked = (family: Family): Family => {
  const { name, type, help, samples } = family;
  if (type === "" || help === "" || samples.length === 0) {
    throw new Error(`${name} has no type, no help or no samples.`);
  }
  const keys = samples.map((sample) => `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`);
  if (new Set(keys).size !== keys.length) {
    throw new Error(`${name} has a duplicate series.`);
  }
  if (type === "counter" && (!name.endsWith("_total") || samples.some(({ value }) => !(value >= 0)))) {
    throw new Error(`${name} is not a valid counter.`);
  }
  if (type === "histogram") {
    checkHistogram(family);
  }
  return family;
};

const checkHistogram = ({ name, samples }: Family): void => {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...others } }) => JSON.stringify(others));
  for (const [key, parts] of series) {
    const buckets = parts.filter((part) => part.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => numberOf(labels.le ?? "NaN"));
    const count = parts.find((part) => part.name === `${name}_count`)?.value;
    const rises = (values: readonly number[], strictly: boolean): boolean =>
      values.every((value, index) => {
        const before = values[index - 1] ?? Number.NEGATIVE_INFINITY;
        return strictly ? value > before : value >= before;
      });
    const whole = bounds.at(-1) === Number.POSITIVE_INFINITY && buckets.at(-1)?.value === count;
    const sums = parts.filter((part) => part.name === `${name}_sum`).length;
    if (
      !whole ||
      sums !== 1 ||
      !rises(bounds, true) ||
      !rises(
        buckets.map(({ value }) => value),
        false,
      )
    ) {
      throw new Error(`The histogram ${name} ${key} is invalid.`);
    }
  }
};
