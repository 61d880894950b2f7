import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { exists } from "../node/node-save.ts";
import type { Input } from "../node.ts";
import { UsageError } from "./exit.ts";
import { filesIn } from "./folder-files.ts";
import { isNamed, type Target } from "./target.ts";

/** One input and the path of its result; undefined output is standard output. */
export interface Task {
  /** The input as given on the command line; for a file in a folder, its path. */
  readonly label: string;
  readonly input: Input;
  readonly output: string | undefined;
}

/** Output settings of the command line. */
export interface OutputSettings {
  readonly out: string | undefined;
  readonly merge: boolean;
  /** Whether URLs are web pages. */
  readonly page: boolean;
  /** The storage whose keys the inputs are. @default files and URLs */
  readonly storage: string | undefined;
  /** Name of standard input. */
  readonly name: string;
  readonly target: Target;
}

/** @throws UsageError for an invalid combination of inputs and outputs */
export const planOf = async (labels: readonly string[], settings: OutputSettings): Promise<Task[]> => {
  if (labels.length === 0) {
    throw new UsageError("Missing input. Specify files, folders, URLs, or - for standard input.");
  }
  if (settings.page && (settings.merge || !labels.every(isAddress))) {
    throw new UsageError("--page requires URLs that start with http: or https:, and cannot be used with --merge.");
  }
  if (settings.storage !== undefined && (settings.page || labels.some((label) => label === "-" || isAddress(label)))) {
    throw new UsageError("With --storage, the inputs are keys in the storage, not URLs or standard input.");
  }
  if (labels.filter((label) => label === "-").length > 1) {
    throw new UsageError("Standard input (-) can only be used once.");
  }
  const sources = (await Promise.all(labels.map((label) => sourcesIn(label, settings)))).flat();
  const outputs = settings.merge ? sources.slice(0, 1) : sources;
  const pathOf = await pathsFor(outputs, settings);
  const used = new Set<string>();
  return sources.map((source, index) => ({
    label: source.label,
    input: inputOf(source.label, settings),
    output: index < outputs.length ? unused(pathOf(source), used) : undefined,
  }));
};

const inputOf = (label: string, { page, storage, name }: OutputSettings): Input => {
  if (storage !== undefined) {
    return { storage, key: label };
  }
  if (page) {
    return { page: label };
  }
  return label === "-" ? { content: process.stdin, name } : label;
};

/** An input. A file in a folder has the path of its subfolder, which is kept below the output folder. */
interface Source {
  readonly label: string;
  readonly subfolder?: string;
}

const sourcesIn = async (label: string, { out, merge, storage, target }: OutputSettings): Promise<Source[]> => {
  if (storage !== undefined || label === "-" || isAddress(label) || !(await isFolder(label))) {
    return [{ label }];
  }
  const isSeparate = merge || (out !== undefined && resolve(out) !== resolve(label));
  const files = await filesIn(label, {
    isWanted: (name) => isConvertible(target, name, isSeparate),
    without: isSeparate && !merge ? out : undefined,
  });
  if (files.length === 0) {
    throw new UsageError(`${label} has no files that can be converted to ${target.format.id}.`);
  }
  return files.map((path) => ({ label: join(label, path), subfolder: dirname(path) }));
};

/**
 * @param isSeparate whether results are written elsewhere; if not, files that have the target format already are left
 * out, since they may be results
 */
export const isConvertible = ({ format, sources }: Target, name: string, isSeparate: boolean): boolean =>
  sources.some((source) => isNamed(source, name)) && (isSeparate || !isNamed(format, name));

type OutputPath = (source: Source) => string | undefined;

const pathsFor = async (outputs: readonly Source[], settings: OutputSettings): Promise<OutputPath> => {
  const { out, name, storage, target } = settings;
  const filename = (label: string): string => resultName(label === "-" ? name : nameIn(label), target);
  const isRemote = (label: string): boolean => storage !== undefined || isAddress(label);
  if (out === undefined) {
    return ({ label }) => (label === "-" ? undefined : join(isRemote(label) ? "." : dirname(label), filename(label)));
  }
  if (out === "-") {
    if (outputs.length > 1) {
      throw new UsageError("Standard output accepts only one result. Use --out FOLDER/ or --merge.");
    }
    return () => undefined;
  }
  const hasSlash = /[\\/]$/.test(out);
  const keepsFolders = outputs.some(({ subfolder }) => subfolder !== undefined) && !(await exists(out));
  if (hasSlash || keepsFolders || (await isFolder(out))) {
    return ({ label, subfolder = "." }) => join(out, subfolder, filename(label));
  }
  if (outputs.length > 1) {
    throw new UsageError(
      `${out} is not a folder. Several results require a folder; end its name with a slash to create it.`,
    );
  }
  return () => out;
};

/** @returns the name of the result: `a.png` becomes `a.jpg` */
export const resultName = (name: string, { format }: Target): string =>
  `${stemOf(name)}.${format.extensions[0] ?? format.id}`;

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

export const isAddress = (label: string): boolean => /^https?:/i.test(label);

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
