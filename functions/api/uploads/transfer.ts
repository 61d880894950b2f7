import type { StoredPart } from "../../domain/file-ports.ts";
import { SIGNED_URL_SECONDS } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { timestamp } from "../../domain/times.ts";
import type { SentSource, Upload } from "../../domain/uploads/upload.ts";
import type { TransferView } from "../../domain/uploads/upload-views.ts";
import type { ApiRequest } from "../request.ts";

/** Milliseconds that the URLs of an upload are valid: 50 MB at 14 kB a second. Each status request returns new ones. */
const TRANSFER_MS = 12 * SIGNED_URL_SECONDS * 1_000;

/**
 * @returns how to send the bytes of the upload, and which parts were received; undefined if there is nothing to send
 */
export const transferOf = async (
  context: Context,
  request: ApiRequest<unknown>,
  upload: Upload,
): Promise<TransferView | undefined> => {
  if (upload.status !== "pending" || upload.source.kind !== "sent" || upload.source.completedAt !== undefined) {
    return undefined;
  }
  const { key, source } = upload;
  const expiresAt = Math.min(upload.expiresAt, request.now + TRANSFER_MS);
  const view = { method: "PUT", expires_at: timestamp(expiresAt) } as const;
  const absolute = (url: string): string => new URL(url, request.baseUrl).href;
  if (source.parts === undefined) {
    const { bytes, sha256 } = source;
    const { url, headers } = await context.files.signedPut(key, { bytes, ...(sha256 && { sha256 }), expiresAt });
    return { ...view, url: absolute(url), headers };
  }
  const { transfer } = source.parts;
  const stored = (await context.files.partsOf(key, transfer)) ?? [];
  const parts = await Promise.all(
    partsOf(source).map(async ({ number, offset, size }) => {
      const { url, headers } = await context.files.signedPart(key, { transfer, number, bytes: size, expiresAt });
      return { number, offset, size, url: absolute(url), headers, received: isStored(stored, { number, size }) };
    }),
  );
  return { ...view, parts };
};

/** @returns the parts of a file: all of the same size except the last */
export const partsOf = ({ bytes, parts }: SentSource): { number: number; offset: number; size: number }[] => {
  const size = parts?.bytes ?? bytes;
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => ({
    number: index + 1,
    offset: index * size,
    size: Math.min(size, bytes - index * size),
  }));
};

/** @returns whether the part was completely received */
export const isStored = (stored: readonly StoredPart[], { number, size }: { number: number; size: number }): boolean =>
  stored.some((part) => part.number === number && part.bytes === size);
