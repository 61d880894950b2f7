import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { runPandoc } from "./program.ts";
import type { Source } from "./source.ts";
import type { Writer } from "./writers.ts";

/** Pandoc's document tree as JSON (pandoc-types 1.22, 1.23). */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A block or an inline: its kind and content. */
export type Node = { readonly t: string; readonly c?: Json };

export interface PandocDocument {
  readonly "pandoc-api-version": Json;
  readonly meta: Readonly<Record<string, Json>>;
  readonly blocks: readonly Json[];
}

export const isNode = (value: Json | undefined): value is { t: string; c?: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.t === "string";

/** @returns a node in JSON form */
export const nodeOf = (t: string, c?: Json): { t: string; c?: Json } => (c === undefined ? { t } : { t, c });

const READ_MS_MAX = 90_000;
const WRITE_MS_MAX = 120_000;

/** Messages of a sandboxed reader about included files, which are never available. */
const NOT_FOUND = /Could not (?:load include file|fetch resource)|not found in resource path/;

/** Exit codes that are not caused by the document: options, formats and data files (pandoc's manual). */
const OUR_FAULTS: ReadonlySet<number> = new Set([4, 5, 6, 21, 22, 23, 24, 25, 97, 98]);

/**
 * Reads the source with pandoc in its sandbox.
 *
 * @throws JobError `source_corrupt`, `output_too_large`, and the errors of a run
 */
export const readDocument = async (
  folder: string,
  { path, reader, format }: Pick<Source, "path" | "reader" | "format">,
): Promise<{ document: PandocDocument; warnings: readonly Warning[] }> => {
  const output = `${path}.json`;
  const { code, stderr } = await runPandoc({
    arguments: ["--sandbox", ...reader, "--to=json", `--output=${output}`, path],
    folder,
    timeoutMs: READ_MS_MAX,
  });
  if (code !== 0) {
    throw readFailure(code, stderr, formatOf(format).name);
  }
  const { size } = await stat(output);
  if (size > TEXT_BYTES_MAX) {
    throw new JobError("output_too_large", `The parsed document has ${size} bytes; the limit is ${TEXT_BYTES_MAX}.`);
  }
  const document: PandocDocument = JSON.parse(await readFile(output, "utf8"));
  checkDepth([document.meta, document.blocks]);
  return { document, warnings: NOT_FOUND.test(stderr) ? [INCLUDES_DROPPED] : [] };
};

/** Maximum nesting depth of arrays and objects; a list in a list takes five levels. */
const DEPTH_MAX = 1_000;

/** Processes one level at a time, because recursion could overflow the stack. */
const checkDepth = (root: unknown): void => {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) {
      throw new JobError("unsupported_feature", "The document is nested too deeply.", { isFinal: true });
    }
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
};

export const INCLUDES_DROPPED: Warning = {
  code: "includes_dropped",
  detail: "Included files were left out because only the document itself is read.",
};

const readFailure = (code: number, stderr: string, name: string): Error => {
  if (OUR_FAULTS.has(code)) {
    return new Error(`pandoc exited with code ${code}: ${stderr}`);
  }
  // The first line that is not a path or an excerpt has the reason and the position.
  const reason = /(?:unexpected|expecting|Invalid|couldn't|parse error)[^\n]{0,150}/i.exec(stderr)?.[0];
  const because = reason === undefined ? "" : `: ${reason.replaceAll(/[^\x20-\x7e]+/g, " ").replace(/[.\s]+$/, "")}`;
  return new JobError("source_corrupt", `The ${name} file cannot be read${because}.`);
};

export interface Writing {
  readonly folder: string;
  readonly path: string;
  readonly writer: Writer;
}

/** Writes a document that has passed the gate with pandoc. */
export const writeDocument = async (document: PandocDocument, { folder, path, writer }: Writing): Promise<void> => {
  await writeFile(join(folder, "gated.json"), JSON.stringify(document));
  const { code, stderr } = await runPandoc({
    arguments: ["--from=json", ...writer.arguments, `--output=${path}`, "gated.json"],
    folder,
    timeoutMs: WRITE_MS_MAX,
  });
  if (code !== 0) {
    throw new Error(`pandoc exited with code ${code}: ${stderr}`);
  }
};
