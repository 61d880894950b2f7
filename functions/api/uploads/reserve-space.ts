import type { Context } from "../../domain/ports.ts";
import type { ApiRequest } from "../request.ts";

/** Reserved disk space for a file that is being received, or the error if there is none. */
export type Space = { readonly release: () => void } | { readonly refusal: unknown };

/** Reserves disk space. A request that repeats an earlier one needs none: see record-upload.ts. */
export const reserveSpace = (
  { admission }: Pick<Context, "admission">,
  { accountId }: ApiRequest<unknown>,
  bytes: number,
): Space => {
  try {
    return { release: admission?.file(accountId, bytes) ?? (() => {}) };
  } catch (refusal) {
    return { refusal };
  }
};

/** Reserves disk space for the files in the body. Without Content-Length, space is checked while they are stored. */
export const reserveBodySpace = (
  context: Pick<Context, "admission" | "uploadBytesMax">,
  request: ApiRequest<unknown>,
): Space =>
  reserveSpace(context, request, Math.min(Number(request.headers["content-length"]) || 0, context.uploadBytesMax));
