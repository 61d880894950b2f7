import { currentName, formerNames } from "../conversions/former-names.ts";
import type { RouteTable } from "../conversions/plan.ts";
import { type UploadErrorCode, uploadErrors } from "../errors/upload-errors.ts";
import { type FormatId, mediaTypeOf } from "../formats/formats.ts";
import { FILENAME_CHARACTERS_MAX } from "../limits.ts";
import { timestamp } from "../times.ts";
import type { Declaration } from "./file-format.ts";
import type { TransferView, UploadView } from "./upload-views.ts";

interface UploadRecord {
  readonly id: string;
  readonly accountId: string;
  /** Its current or future key in the file store. */
  readonly key: string;
  readonly filename: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A complete, checked file. Times are milliseconds since 1970. */
export interface ReadyUpload extends UploadRecord, UploadedFile {
  readonly status: "ready";
}

/** The properties of a received file. */
export interface UploadedFile {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly format: FormatId;
}

/** A file that has not been received yet. */
export interface PendingUpload extends UploadRecord {
  readonly status: "pending";
  readonly source: SentSource | FetchedSource;
}

/** The client sends the file directly to the file store: in one request, or in numbered parts. */
export interface SentSource extends Declaration {
  readonly kind: "sent";
  readonly bytes: number;
  /** The declared size and SHA-256, which are verified. */
  readonly sha256?: string;
  /** For a transfer in parts: the size of each part but the last, and the file store's ID of the transfer. */
  readonly parts?: { readonly bytes: number; readonly transfer: string };
  /** Set by `completeUpload`: everything has been sent, and a worker checks it. */
  readonly completedAt?: number;
}

/** The service fetches the file. */
export interface FetchedSource extends Declaration {
  readonly kind: "fetched";
  /** Empty for an object of a storage. */
  readonly url: string;
  /** An object of a storage of the account, whose current credentials are used. @default the file is at the URL */
  readonly object?: { readonly storage: string; readonly key: string };
  /** Request headers from the client. They can contain secrets, so they are never returned or logged. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A file that was never received, or does not match its declaration. */
export interface FailedUpload extends UploadRecord {
  readonly status: "failed";
  readonly error: { readonly code: UploadErrorCode; readonly detail: string };
}

export type Upload = ReadyUpload | PendingUpload | FailedUpload;

/** The outcome of a pending upload. */
export type UploadEnd =
  | ({ readonly status: "ready" } & UploadedFile)
  | { readonly status: "failed"; readonly error: FailedUpload["error"] };

/**
 * @returns the upload in the current schema: those of the first release were always ready and had no status, and those
 * of 0.1 have former error codes
 */
export const withStatus = (upload: Upload | undefined): Upload | undefined => {
  if (upload?.status === "failed") {
    const code = currentName(formerNames.uploadErrors, upload.error.code) as UploadErrorCode;
    return { ...upload, error: { ...upload.error, code } };
  }
  return upload && (upload.status === undefined ? { ...(upload as ReadyUpload), status: "ready" } : upload);
};

/** @returns the file store key of an upload */
export const uploadKey = (uploadId: string): string => `uploads/${uploadId}`;

type Targets = Pick<RouteTable, "targets">;

/** @returns the upload as the API returns it, with the transfer of its bytes if they are still to be sent */
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

const errorView = ({ code, detail }: FailedUpload["error"]) => {
  const { title, retryable } = uploadErrors[code];
  return { code, title, detail, retryable };
};

/**
 * @returns a filename that is safe to show and to save: without directories, control characters, and bidirectional
 * marks (which can hide an extension), at most 255 characters; `file` if nothing remains
 */
export const safeFilename = (name: string): string => {
  const base = name.split(/[\\/]/).pop() ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
  const clean = base.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  const kept = [...clean].slice(-FILENAME_CHARACTERS_MAX).join("").trim();
  return /^\.*$/.test(kept) ? "file" : kept;
};

/** @returns the name with its extension replaced: `a.heic` becomes `a.jpg` */
export const withExtension = (filename: string, extension: string): string =>
  safeFilename(`${filename.replace(/(?<=.)\.[^.\s]{1,10}$/, "")}.${extension}`);
