import { createHash } from "node:crypto";
import { JobError } from "../../../domain/errors.ts";

/** A notebook prepared for pandoc, and its pictures by the names that pandoc gives them. */
export interface Notebook {
  readonly notebook: string;
  readonly pictures: ReadonlyMap<string, Buffer>;
}

type Fields = Record<string, unknown>;

/**
 * A cell output comes in several formats; the richest one is kept. Pictures are embedded as base64, and pandoc does not
 * include them in the tree, so they are collected here.
 *
 * @throws JobError `source_corrupt` when it is not a notebook, `unsupported_feature` before version 4 of the format
 */
export const readNotebook = (text: string): Notebook => {
  const notebook = parsed(text);
  if (!isFields(notebook) || !Array.isArray(notebook.cells)) {
    const old = isFields(notebook) && Array.isArray(notebook.worksheets);
    throw old
      ? new JobError(
          "unsupported_feature",
          "Notebook format versions before 4 are not supported. Open and save the notebook in Jupyter.",
        )
      : new JobError("source_corrupt", "The notebook has no list of cells.");
  }
  const pictures = new Map<string, Buffer>();
  for (const cell of notebook.cells.filter(isFields)) {
    for (const [name, bundle] of Object.entries(isFields(cell.attachments) ? cell.attachments : {})) {
      const data = isFields(bundle) ? Object.values(bundle).find((each) => typeof each === "string") : undefined;
      if (typeof data === "string") {
        pictures.set(name, Buffer.from(data, "base64"));
      }
    }
    for (const output of Array.isArray(cell.outputs) ? cell.outputs.filter(isFields) : []) {
      output.data = isFields(output.data) ? bestOf(output.data, pictures) : output.data;
    }
  }
  return { notebook: JSON.stringify(notebook), pictures };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JobError("source_corrupt", "The notebook is not valid JSON.", { cause: error });
  }
};

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Media types of an output, richest first, and the extension that pandoc gives pictures. */
const PICTURES = { "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif" } as const;
const TEXTS = ["text/html", "text/markdown", "text/latex", "text/plain"] as const;

const bestOf = (data: Fields, pictures: Map<string, Buffer>): Fields => {
  for (const [type, extension] of Object.entries(PICTURES)) {
    const value = data[type];
    const bytes = typeof value === "string" ? Buffer.from(value, "base64") : undefined;
    if (bytes !== undefined) {
      pictures.set(`${createHash("sha1").update(bytes).digest("hex")}.${extension}`, bytes);
      return { [type]: value };
    }
  }
  const text = TEXTS.find((type) => data[type] !== undefined);
  return text === undefined ? {} : { [text]: data[text] };
};
