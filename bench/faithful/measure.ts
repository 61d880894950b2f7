import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fidelity } from "../../functions/domain/conversions/conversion.ts";
import { extensionOf, type FormatId } from "../../functions/domain/formats/formats.ts";
import { compare, type Difference } from "./compare.ts";
import type { Pair } from "./pairs/pair.ts";
import { type Kind, readers } from "./read/readers.ts";
import type { Reading } from "./read/reading.ts";
import type { Service } from "./service.ts";
import { writeSheet } from "./sheets.ts";
import type { Source } from "./sources/sources.ts";
import { isInstalled, run } from "./tools.ts";

/** One file, converted and compared with its source: by the service and by the reference tool. */
export interface Row {
  /** `from→to`. */
  readonly pair: string;
  readonly file: string;
  readonly kind: Kind;
  readonly fidelity: Fidelity;
  /** What the table of conversions says that the pair loses. */
  readonly drops: readonly string[];
  readonly ours: Outcome;
  readonly reference?: Outcome & { readonly tool: string };
}

export interface Outcome extends Partial<Difference> {
  /** Why there is no result, or why it cannot be read. */
  readonly failure?: string;
  readonly warnings: readonly string[];
  readonly ms: number;
}

export interface Bench {
  readonly service: Service;
  /** An empty folder. */
  readonly scratch: string;
  /** Keeps outcomes of the reference tools, which never change. */
  readonly cache: string;
  /** Readings of the sources, which several pairs share. */
  readonly sources: Map<string, Promise<Reading>>;
  /** Keeps a picture of each source and its result. @default none */
  readonly sheets?: string;
}

/** @throws if the source cannot be read: then there is nothing to compare with */
export const measure = async (pair: Pair, source: Source, bench: Bench): Promise<Row | undefined> => {
  const { from, to, kind } = pair;
  const route = bench.service.route(from, to);
  if (route === undefined) {
    return undefined;
  }
  const folder = await mkdtemp(join(bench.scratch, `${from}-${to}-`));
  try {
    const truth = await sourceReading(pair, source, bench);
    const made = await bench.service.convert(source.path, route, join(folder, "ours"));
    const ours =
      made.path === undefined
        ? { failure: made.failure ?? "failed" }
        : await difference(pair, truth, {
            path: made.path,
            bundled: made.bundled,
            folder: join(folder, "read"),
            ...(bench.sheets !== undefined && { sheets: bench.sheets, name: `${from}-${to} ${source.name}` }),
          });
    const warnings = made.warnings.map(({ code }) => code);
    return {
      pair: `${from}→${to}`,
      file: source.name,
      kind,
      fidelity: route.fidelity,
      drops: route.drops,
      ours: { ...ours, warnings, ms: Math.round(made.ms) },
      ...(await referenceOf(pair, source, { truth, folder, bench })),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const sourceReading = ({ kind }: Pair, { name, path, format }: Source, bench: Bench): Promise<Reading> => {
  const key = `${kind} ${name} ${format}`;
  const known =
    bench.sources.get(key) ??
    read(kind, { paths: [path], format, folder: join(bench.scratch, `source-${bench.sources.size}`) });
  bench.sources.set(key, known);
  return known;
};

const read = async (
  kind: Kind,
  subject: { readonly paths: readonly string[]; readonly format: FormatId; readonly folder: string },
): Promise<Reading> => {
  await mkdir(subject.folder, { recursive: true });
  return readers[kind](subject);
};

interface Result {
  readonly path: string;
  readonly bundled: boolean;
  readonly folder: string;
  /** Where the picture of source and result is kept, and its name. */
  readonly sheets?: string;
  readonly name?: string;
}

/** A result that cannot be read has failed: users cannot read it either. */
const difference = async (
  { kind, to, looks = true, ignores = [] }: Pair,
  source: Reading,
  { path, bundled, folder, sheets, name = "" }: Result,
): Promise<Difference | { readonly failure: string }> => {
  try {
    const paths = bundled ? await unpacked(path, join(folder, "parts")) : [path];
    const result = await read(kind, { paths, format: to, folder: join(folder, "reading") });
    const truth = { ...source, tokens: source.tokens.filter((token) => !ignores.includes(token)) };
    if (sheets !== undefined) {
      await writeSheet({ source, result, name }, sheets);
    }
    return await compare(truth, result, { looks, isProse: kind === "document", folder: join(folder, "pages") });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: `the result cannot be read: ${message.replaceAll(/\s+/gu, " ").slice(0, 200)}` };
  }
};

/** @returns the files of a zip, in order */
const unpacked = async (zip: string, folder: string): Promise<string[]> => {
  await mkdir(folder, { recursive: true });
  await run("bsdtar", ["-xf", zip, "-C", folder]);
  const names = (await readdir(folder)).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return names.map((name) => join(folder, name));
};

interface Compared {
  readonly truth: Reading;
  readonly folder: string;
  readonly bench: Bench;
}

const referenceOf = async (
  pair: Pair,
  source: Source,
  { truth, folder, bench }: Compared,
): Promise<Pick<Row, "reference">> => {
  const { reference, from, to } = pair;
  if (reference === undefined || !(reference.isLibrary || (await isInstalled(reference.tool)))) {
    return {};
  }
  const bytes = createHash("sha256").update(await readFile(source.path));
  const key = bytes.update(`${reference.tool} ${from} ${to} ${CACHE_VERSION}`).digest("hex").slice(0, 24);
  const record = join(bench.cache, `${key}.json`);
  if (!existsSync(record)) {
    const output = join(folder, "reference", `result.${extensionOf(to)}`);
    await mkdir(join(folder, "reference"), { recursive: true });
    const start = performance.now();
    const end = await reference.convert(source.path, output).then(
      () => difference(pair, truth, { path: output, bundled: false, folder: join(folder, "read-reference") }),
      (error: unknown) => ({ failure: String(error).replaceAll(/\s+/gu, " ").slice(0, 200) }),
    );
    const outcome: Outcome = { ...end, warnings: [], ms: Math.round(performance.now() - start) };
    await writeFile(record, JSON.stringify({ tool: reference.tool, ...outcome }));
  }
  return { reference: JSON.parse(await readFile(record, "utf8")) as NonNullable<Row["reference"]> };
};

/** Counts changes of the readers and of the measures. */
const CACHE_VERSION = 2;

/** The folder that keeps outcomes of the reference tools between runs. */
export const CACHE = join(tmpdir(), "anyform-bench-faithful");
