import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { TransferView, UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import type { ApiClient, Problem } from "../../support/services/client.ts";

/** Uploads whose bytes are sent directly to the file store. */

export type Part = NonNullable<TransferView["parts"]>[number];

/** Declares a file. @returns the upload, with the URLs for its bytes */
export const announce = async (
  client: ApiClient,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: UploadView & Problem }> =>
  client.call<UploadView & Problem>("/api/v1/upload", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Sends the bytes to the URL of the upload or part. */
export const put = (
  target: { readonly url?: string | undefined; readonly headers?: Record<string, string> | undefined } | undefined,
  bytes: Uint8Array,
): Promise<Response> =>
  fetch(target?.url ?? "", { method: "PUT", headers: target?.headers ?? {}, body: Uint8Array.from(bytes) });

export const complete = (client: ApiClient, id: string, query = "?wait=25") =>
  client.call<UploadView & Problem>(`/api/v1/upload/${id}/complete${query}`, { method: "POST" });

/** Sends the missing parts. */
export const putParts = async (parts: readonly Part[], content: Buffer): Promise<void> => {
  for (const part of parts.filter(({ received }) => !received)) {
    expect((await put(part, content.subarray(part.offset, part.offset + part.size))).status).toBe(200);
  }
};

/** @returns a ready upload that was sent with one PUT */
export const sendDirectly = async (client: ApiClient, name: string, bytes: Uint8Array): Promise<UploadView> => {
  const { body } = await announce(client, { filename: name, size: bytes.length, sha256: sha256Of(bytes) });
  expect((await put(body.upload, bytes)).status).toBe(200);
  const ended = await complete(client, body.upload_id);
  expect([ended.status, ended.body.status], JSON.stringify(ended.body)).toEqual([200, "ready"]);
  return ended.body;
};

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
