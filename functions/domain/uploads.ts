import { type FormatId, mediaTypeOf } from "./formats.ts";
import { FILENAME_CHARACTERS_MAX } from "./limits.ts";
import type { RouteTable } from "./routes.ts";
import type { UploadView } from "./views.ts";

/** A file that a client sent, whole and checked. Times are milliseconds since 1970. */
export interface Upload {
  readonly id: string;
  readonly accountId: string;
  /** Where the file store has it. */
  readonly key: string;
  readonly filename: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly format: FormatId;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** @returns where the file store keeps an upload */
export const uploadKey = (uploadId: string): string => `uploads/${uploadId}`;

/** @returns the upload as the API shows it */
export const uploadView = (upload: Upload, routes: RouteTable): UploadView => ({
  upload_id: upload.id,
  status: "ready",
  filename: upload.filename,
  size: upload.bytes,
  sha256: upload.sha256,
  format: upload.format,
  media_type: mediaTypeOf(upload.format),
  targets: [...routes.targets(upload.format)],
  created_at: new Date(upload.createdAt).toISOString(),
  expires_at: new Date(upload.expiresAt).toISOString(),
});

/**
 * @returns a file name that is safe to show and to save: without folders, control characters, and the marks that turn
 * the direction of writing (they can hide an extension), at most 255 characters; `file` when nothing is left
 */
export const safeFilename = (name: string): string => {
  const base = name.split(/[\\/]/).pop() ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = base.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  const characters = [...(/^\.*$/.test(clean) ? "file" : clean)];
  return characters.slice(-FILENAME_CHARACTERS_MAX).join("");
};

/** @returns the name with its extension replaced: `a.heic` becomes `a.jpg` */
export const withExtension = (filename: string, extension: string): string =>
  safeFilename(`${filename.replace(/(?<=.)\.[^.\s]{1,10}$/, "")}.${extension}`);
