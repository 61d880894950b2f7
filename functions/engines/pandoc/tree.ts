import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TEXT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import { runPandoc } from "./program.ts";
import type { Source } from "./source.ts";
import type { Writer } from "./writers.ts";

/** Pandoc's tree of a document, as JSON (pandoc-types 1.22, 1.23). */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A block or an inline: its kind and what it holds. */
export type Node = { readonly t: string; readonly c?: Json };

export interface PandocDocument {
  readonly "pandoc-api-version": Json;
  readonly meta: Readonly<Record<string, Json>>;
  readonly blocks: readonly Json[];
}

export const isNode = (value: Json | undefined): value is { t: string; c?: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.t === "string";

/** @returns a node as JSON has it */
export const nodeOf = (t: string, c?: Json): { t: string; c?: Json } => (c === undefined ? { t } : { t, c });

const READ_MS_MAX = 90_000;
const WRITE_MS_MAX = 120_000;

/** What a sandboxed reader says of files that a document wants to take in: none is there for it. */
const NOT_FOUND = /Could not (?:load include file|fetch resource)|not found in resource path/;

/** Exit codes that are no fault of the document's: of options, formats and data files (pandoc's manual). */
const OUR_FAULTS: ReadonlySet<number> = new Set([4, 5, 6, 21, 22, 23, 24, 25, 97, 98]);

/**
 * Has pandoc read the source in its sandbox.
 *
 * @throws JobError `source_corrupt`, `output_too_large`, and those of a run
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
    throw new JobError("output_too_large", `The document has ${size} bytes as a tree; at most ${TEXT_BYTES_MAX}.`);
  }
  const document: PandocDocument = JSON.parse(await readFile(output, "utf8"));
  checkDepth([document.meta, document.blocks]);
  return { document, warnings: NOT_FOUND.test(stderr) ? [INCLUDES_DROPPED] : [] };
};

/** Levels of arrays and objects in one another; a list in a list takes five. */
const DEPTH_MAX = 1_000;

/** Goes level by level, as no recursion stands any depth. */
const checkDepth = (root: unknown): void => {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) {
      throw new JobError("unsupported_feature", "The document is nested too deep.");
    }
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
};

export const INCLUDES_DROPPED: Warning = {
  code: "includes_dropped",
  detail: "Other files that the document includes were left out, because nothing beside it is read.",
};

const readFailure = (code: number, stderr: string, name: string): Error => {
  if (OUR_FAULTS.has(code)) {
    return new Error(`pandoc ended with ${code}: ${stderr}`);
  }
  // The first line that is no path or excerpt says what is wrong and where.
  const reason = /(?:unexpected|expecting|Invalid|couldn't|parse error)[^\n]{0,150}/i.exec(stderr)?.[0];
  const because = reason === undefined ? "" : `: ${reason.replaceAll(/[^\x20-\x7e]+/g, " ").replace(/[.\s]+$/, "")}`;
  return new JobError("source_corrupt", `The ${name} could not be read${because}.`);
};

export interface Writing {
  readonly folder: string;
  readonly path: string;
  readonly writer: Writer;
}

/** Has pandoc write a document that has passed the gate. */
export const writeDocument = async (document: PandocDocument, { folder, path, writer }: Writing): Promise<void> => {
  await writeFile(join(folder, "gated.json"), JSON.stringify(document));
  const { code, stderr } = await runPandoc({
    arguments: ["--from=json", ...writer.arguments, `--output=${path}`, "gated.json"],
    folder,
    timeoutMs: WRITE_MS_MAX,
  });
  if (code !== 0) {
    throw new Error(`pandoc ended with ${code}: ${stderr}`);
  }
};
