import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { FormatList } from "../api.ts";
import type { Input } from "../node.ts";
import { UsageError } from "./exit.ts";

/** What is converted, and where its result goes; no output is standard output. */
export interface Errand {
  /** As the user wrote it. */
  readonly label: string;
  readonly input: Input;
  readonly output: string | undefined;
}

/** What the command line says about places and names. */
export interface Places {
  readonly out: string | undefined;
  readonly merge: boolean;
  /** Of standard input. */
  readonly name: string;
  /** What the target's files end with, without the dot. */
  readonly extension: string;
}

/** @throws UsageError for inputs and outputs that do not go together */
export const planOf = async (labels: readonly string[], places: Places): Promise<Errand[]> => {
  if (labels.length === 0) {
    throw new UsageError("What is to be converted? Name files, addresses, or - for standard input.");
  }
  if (labels.filter((label) => label === "-").length > 1) {
    throw new UsageError("Standard input can be read once.");
  }
  const outputs = places.merge ? labels.slice(0, 1) : labels;
  const place = await placeFor(outputs.length, places);
  const used = new Set<string>();
  return labels.map((label, index) => ({
    label,
    input: label === "-" ? { content: process.stdin, name: places.name } : label,
    output: index < outputs.length ? unused(place(label), used) : undefined,
  }));
};

type Place = (label: string) => string | undefined;

const placeFor = async (outputs: number, { out, name, extension }: Places): Promise<Place> => {
  const filename = (label: string): string => `${stemOf(label === "-" ? name : nameIn(label))}.${extension}`;
  if (out === undefined) {
    return (label) => (label === "-" ? undefined : join(isAddress(label) ? "." : dirname(label), filename(label)));
  }
  if (out === "-") {
    if (outputs > 1) {
      throw new UsageError("Standard output takes one result. Name a folder, or use --merge.");
    }
    return () => undefined;
  }
  const isFolder = /[\\/]$/.test(out) || ((await stat(out).catch(() => undefined))?.isDirectory() ?? false);
  if (outputs > 1 && !isFolder) {
    throw new UsageError(`${out} is no folder. For several results name one, with a slash at its end if it is new.`);
  }
  return (label) => (isFolder ? join(out, filename(label)) : out);
};

const isAddress = (label: string): boolean => /^https?:/i.test(label);

const nameIn = (label: string): string => {
  if (!isAddress(label) || !URL.canParse(label)) {
    return basename(label);
  }
  const last = new URL(label).pathname.split("/").at(-1) ?? "";
  // Encoded slashes stay encoded: a name of a stranger's must not lead to another folder.
  return (
    last.replaceAll(/%(?!2f|5c|00)[0-9a-f]{2}/gi, (code) => (code < "%80" ? decodeURIComponent(code) : code)) || "file"
  );
};

const stemOf = (filename: string): string => filename.replace(/(?<=.)\.[^.\s]{1,10}$/, "");

/** Two inputs of the same name get results of different ones: `a.jpg` and `a-2.jpg`. */
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

/** @returns the target's own format, and the conversions into it from what the inputs' names say they are */
export const conversionsFor = (
  { formats, conversions }: FormatList,
  names: readonly string[],
): { extension: string; conversions: FormatList["conversions"] } => {
  const target = formats.find(({ id }) => id === conversions[0]?.target);
  const extensions = new Set(names.map((name) => name.split(".").at(-1)?.toLowerCase() ?? ""));
  const sources = new Set(
    formats.filter((format) => format.extensions.some((each) => extensions.has(each))).map(({ id }) => id),
  );
  const likely = conversions.filter(({ source }) => sources.has(source));
  if (target === undefined) {
    throw new UsageError("Nothing can become that here. `anyform formats` lists what can.");
  }
  return {
    extension: target.extensions[0] ?? target.id,
    conversions: likely.length > 0 ? likely : conversions,
  };
};
