import { type UploadErrorCode, uploadErrors } from "./errors.ts";
import { type FormatId, mediaTypeOf } from "./formats.ts";
import { FILENAME_CHARACTERS_MAX } from "./limits.ts";
import type { RouteTable } from "./routes.ts";
import { timestamp } from "./times.ts";
import type { TransferView, UploadView } from "./views.ts";

interface UploadRecord {
  readonly id: string;
  readonly accountId: string;
  /** Where the file store has it, or will have it. */
  readonly key: string;
  readonly filename: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A file that is here, whole and checked. Times are milliseconds since 1970. */
export interface ReadyUpload extends UploadRecord, UploadedFile {
  readonly status: "ready";
}

/** What is known of a file once it is here. */
export interface UploadedFile {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly format: FormatId;
}

/** A file that is still to come. */
export interface PendingUpload extends UploadRecord {
  readonly status: "pending";
  readonly source: SentSource | FetchedSource;
}

/** The client sends it straight to the file store: in one piece, or in numbered parts. */
export interface SentSource {
  readonly kind: "sent";
  readonly bytes: number;
  /** What the client says that it is; it is held to it. */
  readonly sha256?: string;
  /** Where there are parts: how many bytes each but the last has, and what the file store calls the transfer. */
  readonly parts?: { readonly bytes: number; readonly transfer: string };
  /** Set by `completeUpload`: all is sent, and a worker looks at it. */
  readonly completedAt?: number;
}

/** We fetch it. */
export interface FetchedSource {
  readonly kind: "fetched";
  readonly url: string;
  /** What the client gave to be sent along; it may hold secrets, so it is never shown or logged. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A file that never came, or is not what it was to be. */
export interface FailedUpload extends UploadRecord {
  readonly status: "failed";
  readonly error: { readonly code: UploadErrorCode; readonly detail: string };
}

export type Upload = ReadyUpload | PendingUpload | FailedUpload;

/** How a pending upload ends. */
export type UploadEnd =
  | ({ readonly status: "ready" } & UploadedFile)
  | { readonly status: "failed"; readonly error: FailedUpload["error"] };

/** @returns the upload as it is now written: those of the first release were all ready, and did not say so */
export const withStatus = (upload: Upload | undefined): Upload | undefined =>
  upload && (upload.status === undefined ? { ...(upload as ReadyUpload), status: "ready" } : upload);

/** @returns where the file store keeps an upload */
export const uploadKey = (uploadId: string): string => `uploads/${uploadId}`;

type Targets = Pick<RouteTable, "targets">;

/** @returns the upload as the API shows it, with how its bytes are sent where they are still to come */
export const uploadView = (upload: Upload, routes: Targets, transfer?: TransferView): UploadView => ({
  upload_id: upload.id,
  status: upload.status,
  filename: upload.filename,
  ...fileView(upload, routes),
  created_at: timestamp(upload.createdAt),
  expires_at: timestamp(upload.expiresAt),
  ...(transfer && { upload: transfer }),
  error: upload.status === "failed" ? errorView(upload.error) : null,
});

const fileView = (upload: Upload, routes: Targets) =>
  upload.status === "ready"
    ? {
        size: upload.bytes,
        sha256: upload.sha256,
        format: upload.format,
        media_type: mediaTypeOf(upload.format),
        targets: [...routes.targets(upload.format)],
      }
    : {
        size: upload.status === "pending" && upload.source.kind === "sent" ? upload.source.bytes : null,
        sha256: null,
        format: null,
        media_type: null,
        targets: [],
      };

const errorView = ({ code, detail }: FailedUpload["error"]) => ({ code, ...uploadErrors[code], detail });

/**
 * @returns a file name that is safe to show and to save: without folders, control characters, and the marks that turn
 * the direction of writing (they can hide an extension), at most 255 characters; `file` when nothing is left
 */
export const safeFilename = (name: string): string => {
  const base = name.split(/[\\/]/).pop() ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = base.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  const kept = [...clean].slice(-FILENAME_CHARACTERS_MAX).join("").trim();
  return /^\.*$/.test(kept) ? "file" : kept;
};

/** @returns the name with its extension replaced: `a.heic` becomes `a.jpg` */
export const withExtension = (filename: string, extension: string): string =>
  safeFilename(`${filename.replace(/(?<=.)\.[^.\s]{1,10}$/, "")}.${extension}`);
