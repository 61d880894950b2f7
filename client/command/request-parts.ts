import { readFile } from "node:fs/promises";
import type { ConversionStep, ExportTarget } from "../api.ts";
import { UsageError } from "./exit.ts";

/** Parts of requests that several commands read. */

/** @returns the JSON in a file @throws UsageError */
export const jsonIn = async (path: string): Promise<unknown> => {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON.`);
  }
};

/** @returns the steps of `--steps` @throws UsageError */
export const stepsIn = async (path: string | undefined): Promise<readonly ConversionStep[] | undefined> => {
  const value = path === undefined ? undefined : await jsonIn(path);
  if (value !== undefined && !Array.isArray(value)) {
    throw new UsageError(`${path} is not a list of steps.`);
  }
  // The service checks the steps.
  return value;
};

/** @returns the pairs of `--metadata` @throws UsageError */
export const metadataOf = (pairs: readonly string[]): Readonly<Record<string, string>> | undefined => {
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf("=");
    if (at < 1) {
      throw new UsageError(`--metadata requires NAME=VALUE, not ${pair}.`);
    }
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** @returns the target of `--export`: a URL, `STORAGE` or `STORAGE/KEY` */
export const exportOf = (text: string | undefined): ExportTarget | undefined => {
  if (text === undefined || /^https?:/i.test(text)) {
    return text === undefined ? undefined : { url: text };
  }
  const at = text.indexOf("/");
  return at === -1 ? { storage: text } : { storage: text.slice(0, at), key: text.slice(at + 1) };
};
