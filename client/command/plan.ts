import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Conversion, FormatList } from "../api.ts";
import type { Input } from "../node.ts";
import { UsageError } from "./exit.ts";

/** One input and the path of its result; undefined output is standard output. */
export interface Task {
  /** The input as given on the command line. */
  readonly label: string;
  readonly input: Input;
  readonly output: string | undefined;
}

/** Output settings of the command line. */
export interface OutputSettings {
  readonly out: string | undefined;
  readonly merge: boolean;
  /** Name of standard input. */
  readonly name: string;
  /** File extension of the target, without the dot. */
  readonly extension: string;
}

/** @throws UsageError for an invalid combination of inputs and outputs */
export const planOf = async (labels: readonly string[], settings: OutputSettings): Promise<Task[]> => {
  if (labels.length === 0) {
    throw new UsageError("Missing input. Specify files, URLs, or - for standard input.");
  }
  if (labels.filter((label) => label === "-").length > 1) {
    throw new UsageError("Standard input (-) can only be used once.");
  }
  const outputs = settings.merge ? labels.slice(0, 1) : labels;
  const pathOf = await pathsFor(outputs.length, settings);
  const used = new Set<string>();
  return labels.map((label, index) => ({
    label,
    input: label === "-" ? { content: process.stdin, name: settings.name } : label,
    output: index < outputs.length ? unused(pathOf(label), used) : undefined,
  }));
};

type OutputPath = (label: string) => string | undefined;

const pathsFor = async (outputs: number, { out, name, extension }: OutputSettings): Promise<OutputPath> => {
  const filename = (label: string): string => `${stemOf(label === "-" ? name : nameIn(label))}.${extension}`;
  if (out === undefined) {
    return (label) => (label === "-" ? undefined : join(isAddress(label) ? "." : dirname(label), filename(label)));
  }
  if (out === "-") {
    if (outputs > 1) {
      throw new UsageError("Standard output accepts only one result. Use --out FOLDER/ or --merge.");
    }
    return () => undefined;
  }
  const isFolder = /[\\/]$/.test(out) || ((await stat(out).catch(() => undefined))?.isDirectory() ?? false);
  if (outputs > 1 && !isFolder) {
    throw new UsageError(
      `${out} is not a folder. Several results require a folder; end its name with a slash to create it.`,
    );
  }
  return (label) => (isFolder ? join(out, filename(label)) : out);
};

const isAddress = (label: string): boolean => /^https?:/i.test(label);

const nameIn = (label: string): string => {
  if (!isAddress(label) || !URL.canParse(label)) {
    return basename(label);
  }
  const last = new URL(label).pathname.split("/").at(-1) ?? "";
  // Encoded slashes stay encoded: an untrusted name must not lead to another folder.
  return (
    last.replaceAll(/%(?!2f|5c|00)[0-9a-f]{2}/gi, (code) => (code < "%80" ? decodeURIComponent(code) : code)) || "file"
  );
};

const stemOf = (filename: string): string => filename.replace(/(?<=.)\.[^.\s]{1,10}$/, "");

/** Inputs with the same name get results with different names: `a.jpg` and `a-2.jpg`. */
const unused = (path: string | undefined, used: Set<string>): string | undefined => {
  if (path === undefined) {
    return undefined;
  }
  const at = path.lastIndexOf(".");
  let candidate = path;
  for (let number = 2; used.has(resolve(candidate)); number += 1) {
    candidate = `${path.slice(0, at)}-${number}${path.slice(at)}`;
  }
  used.add(resolve(candidate));
  return candidate;
};

/** @returns the target's extension, and its conversions from the formats that the inputs' names suggest */
export const conversionsFor = (
  { formats, conversions = [] }: FormatList,
  names: readonly string[],
): { extension: string; conversions: readonly Conversion[] } => {
  const target = formats.find(({ id }) => id === conversions[0]?.target);
  const extensions = new Set(names.map((name) => name.split(".").at(-1)?.toLowerCase() ?? ""));
  const sources = new Set(
    formats.filter((format) => format.extensions.some((each) => extensions.has(each))).map(({ id }) => id),
  );
  const likely = conversions.filter(({ source }) => sources.has(source));
  if (target === undefined) {
    throw new UsageError("This format is not a supported target. Run `anyform formats` to list the supported formats.");
  }
  return {
    extension: target.extensions[0] ?? target.id,
    conversions: likely.length > 0 ? likely : conversions,
  };
};
