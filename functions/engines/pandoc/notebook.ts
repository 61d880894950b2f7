import { createHash } from "node:crypto";
import { JobError } from "../../domain/errors.ts";

/** A notebook as pandoc is to read it, and the pictures that it brings, by the names that pandoc gives them. */
export interface Notebook {
  readonly notebook: string;
  readonly pictures: ReadonlyMap<string, Buffer>;
}

type Fields = Record<string, unknown>;

/**
 * A result of a cell comes in several shapes; the one that shows most stays. Pictures stand in the notebook as base64,
 * and pandoc keeps them for itself when it writes a tree, so they are gathered here.
 *
 * @throws JobError `source_corrupt` when it is no notebook, `unsupported_feature` before version 4 of the format
 */
export const readNotebook = (text: string): Notebook => {
  const notebook = parsed(text);
  if (!isFields(notebook) || !Array.isArray(notebook.cells)) {
    const old = isFields(notebook) && Array.isArray(notebook.worksheets);
    throw old
      ? new JobError("unsupported_feature", "The notebook is of a version before 4; open and save it in Jupyter.")
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

/** Media types of a result, the most telling first, and the extension that pandoc names a picture with. */
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
