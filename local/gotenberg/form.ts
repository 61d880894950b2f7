import { createWriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { Reaches } from "../../functions/outbound/addresses.ts";
import { downloadedFiles, type FormFile } from "./download-from.ts";
import { GotenbergError } from "./errors.ts";

/** A file of a form, stored in the folder of its request. */
export interface StagedFile {
  readonly name: string;
  readonly path: string;
}

/** Fields whose files are not converted: they become part of the result. */
const ASSETS = ["embeds", "watermark", "stamp", "facturxXml"] as const;

export type AssetField = (typeof ASSETS)[number];

/** A form of Gotenberg: its files, in the order of their names, and its text fields. */
export interface GotenbergForm {
  readonly files: readonly StagedFile[];
  /** The files of the fields whose files become part of the result, in the order of the form. */
  readonly assets: Readonly<Record<AssetField, readonly StagedFile[]>>;
  /** The last value of each field. */
  readonly fields: ReadonlyMap<string, string>;
  /** All values of each field, in the order of the form. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
  /** The folder of the files; it is removed after the request. */
  readonly folder: string;
}

const FILES_MAX = 100;
const FIELDS_MAX = 200;
const FIELD_BYTES_MAX = 1_000_000;
const FILE_BYTES_MAX = 500_000_000;

interface FormBody {
  readonly body: Readable;
  readonly contentType: string;
  /** Where the files are stored. */
  readonly folder: string;
  /** The addresses that downloads may connect to. */
  readonly reaches: Reaches;
}

/**
 * Reads a form into a folder, with the files of its `downloadFrom`.
 *
 * @throws GotenbergError 400 for an invalid form or a failed download, 403 for an address that is not allowed, 413 for a
 * file that is too large
 */
export const readGotenbergForm = async ({ body, contentType, folder, reaches }: FormBody): Promise<GotenbergForm> => {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new GotenbergError(415, "Invalid 'Content-Type' header value: want 'multipart/form-data'.");
  }
  const fields = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  const stored: Promise<FormFile>[] = [];
  const limits = { files: FILES_MAX, fields: FIELDS_MAX, fieldSize: FIELD_BYTES_MAX, fileSize: FILE_BYTES_MAX };
  const parser = new Busboy({ headers: { "content-type": contentType }, limits });
  parser.on("field", (name, value) => {
    fields.set(name, value);
    repeated.set(name, [...(repeated.get(name) ?? []), value]);
  });
  parser.on("file", (field, content, name) => {
    const path = join(folder, `file-${stored.length + 1}`);
    const file = store(content, name, path).then((stagedFile) => ({ ...stagedFile, field }));
    file.catch(() => {});
    stored.push(file);
  });
  try {
    await pipeline(body, parser);
  } catch (error) {
    throw new GotenbergError(400, "The form cannot be read, or is truncated.", { cause: error });
  }
  const sent = await Promise.all(stored);
  const downloaded = await downloadedFiles({ fields, folder, reaches });
  const files = [...sent, ...downloaded];
  const of = (wanted: AssetField) => files.filter(({ field }) => field === wanted);
  return {
    files: files
      .filter(({ field }) => !ASSETS.some((asset) => asset === field))
      .sort((one, other) => byName(one.name, other.name)),
    assets: { embeds: of("embeds"), watermark: of("watermark"), stamp: of("stamp"), facturxXml: of("facturxXml") },
    fields,
    repeated,
    folder,
  };
};

const store = async (content: BusboyFileStream, name: string, path: string): Promise<StagedFile> => {
  await pipeline(content, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  if (content.truncated) {
    throw new GotenbergError(413, `The file ${name} exceeds the limit of ${FILE_BYTES_MAX} bytes.`);
  }
  return { name, path };
};

/** Gotenberg merges in alphanumeric order: numbers first, and by their value. */
const byName = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });
