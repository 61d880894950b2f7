import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { detectionSample } from "../../../local/files/detection-sample.ts";
import { concurrently } from "../concurrently.ts";
import { type Service, uploadFormat } from "../service.ts";
import { mainTargets } from "./main-targets.ts";
import { type CorpusFile, corpusFiles } from "./manifest.ts";
import { openersOf } from "./other-tools.ts";

/** How a valid file of the corpus ended. */
export interface ShareRow {
  readonly file: string;
  /** The folder of the corpus. */
  readonly family: string;
  /** The detected format, or the one of the corpus if the file is refused. */
  readonly format: string;
  readonly target?: FormatId;
  /** Why there is no result. @default it was converted */
  readonly miss?: string;
  readonly warnings: readonly string[];
  /** The programs of this machine that open a file which the service does not convert. */
  readonly openers: readonly string[];
}

interface ShareSettings {
  readonly corpus: string;
  readonly scratch: string;
  readonly concurrency: number;
  /** Only files whose path contains one of these texts, separated by commas. */
  readonly only: string;
}

/** Converts each valid file of the corpus to the main target of its family. */
export const measureShare = async (service: Service, settings: ShareSettings): Promise<ShareRow[]> => {
  const { corpus, scratch, concurrency, only } = settings;
  const wanted = only.split(",");
  const isWanted = ({ kind, file }: CorpusFile): boolean =>
    kind === "valid" && wanted.some((part) => file.includes(part));
  const files = (await corpusFiles(corpus)).filter(isWanted);
  return concurrently(files, concurrency, async (file, index) => {
    process.stderr.write(`${index + 1}/${files.length} ${file.file}\n`);
    const folder = join(scratch, `share-${index}`);
    const row = await rowOf(service, file, folder);
    const openers = row.miss === undefined ? [] : await openersOf(file.path, row.family, `${folder}-other`);
    await Promise.all([folder, `${folder}-other`].map((path) => rm(path, { recursive: true, force: true })));
    return { ...row, openers };
  });
};

const rowOf = async (service: Service, corpusFile: CorpusFile, folder: string): Promise<Omit<ShareRow, "openers">> => {
  const { file, path } = corpusFile;
  const family = file.slice(0, file.indexOf("/"));
  const { format, failure } = await uploadFormat(path);
  if (format === undefined) {
    return { file, family, format: corpusFile.format, miss: failure ?? "not recognized", warnings: [] };
  }
  const base = { file, family, format, warnings: [] };
  if (GENERIC[format]?.includes(corpusFile.format) === false) {
    return { ...base, format: corpusFile.format, miss: `detected only as ${format}` };
  }
  const routes = mainTargets(format, basename(file)).map((target) => service.route(format, target));
  const route = routes.find((each) => each !== undefined);
  if (route === undefined) {
    return { ...base, miss: "no conversion to a main target" };
  }
  const made = await service.convert(path, route, folder);
  const warnings = made.warnings.map(({ code }) => code);
  const miss = made.path === undefined ? made.failure : await wrongResult(made.path, made.bundled, route.to);
  return { ...base, target: route.to, warnings, ...(miss !== undefined && { miss }) };
};

/** Formats that many others are made of, with the formats of the corpus that are no more than that. */
const GENERIC: Readonly<Partial<Record<FormatId, readonly string[]>>> = {
  txt: ["txt", "md"],
  xml: ["xml"],
  json: ["json"],
  zip: ["zip"],
};

/** An empty archive has no signature, and a Java archive is a ZIP. */
const ALSO: Readonly<Partial<Record<FormatId, readonly (FormatId | undefined)[]>>> = {
  zip: ["jar", undefined],
  tar: [undefined],
};

/** @returns what is wrong with the file as a result of this format */
const wrongResult = async (path: string, bundled: boolean, target: FormatId): Promise<string | undefined> => {
  const { size, head, tail } = await detectionSample(path);
  const found = detectFormat(head, { tail, filename: basename(path) });
  const expected = bundled ? "zip" : target;
  const isRight = found === expected || (ALSO[expected]?.includes(found) ?? false);
  return size > 0 && isRight ? undefined : `the result is ${size === 0 ? "empty" : (found ?? "of no known format")}`;
};

/** @returns the share as text: a table by family, then each miss */
export const shareReport = (rows: readonly ShareRow[]): string => {
  const families = [...Map.groupBy(rows, ({ family }) => family), ["all", rows] as const];
  const table = families.map(([family, own]) => {
    const misses = own.filter(({ miss }) => miss !== undefined);
    const opened = misses.filter(({ openers }) => openers.length > 0);
    const converted = own.length - misses.length;
    const percent = ((100 * converted) / own.length).toFixed(1);
    const others = ((100 * converted) / (converted + opened.length)).toFixed(1);
    return `| ${family} | ${own.length} | ${converted} | ${percent} % | ${opened.length} | ${others} % |`;
  });
  const misses = rows.filter(({ miss }) => miss !== undefined);
  const listed = misses.map(
    ({ file, format, target = "–", miss = "", openers }) =>
      `| ${file} | ${format} → ${target} | ${miss.replaceAll("|", "/")} | ${openers.join(", ") || "none"} |`,
  );
  return [
    "| family | valid files | converted | share | misses that another tool opens | share of what any tool opens |",
    "|---|---|---|---|---|---|",
    ...table,
    "",
    "| miss | pair | reason | opened by |",
    "|---|---|---|---|",
    ...listed,
  ].join("\n");
};
