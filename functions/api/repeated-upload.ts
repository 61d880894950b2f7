import type { Context } from "../domain/ports.ts";
import type { Upload } from "../domain/uploads.ts";
import { checkReplay, earlierUse, idempotencyOf } from "./idempotency.ts";
import { ownUpload } from "./own-upload.ts";
import type { ApiRequest } from "./request.ts";

/**
 * Finds the upload of a request that was refused for want of room, where it only repeats an earlier one: that needs none.
 *
 * @param contentOf tells what the request asks for, without storing any of it; called when its key was used before
 * @throws RequestError the refusal, when it repeats none; `idempotency_mismatch`
 */
export const repeatedUpload = async (
  context: Context,
  request: ApiRequest<unknown>,
  { refusal, contentOf }: { readonly refusal: unknown; readonly contentOf: () => Promise<string> | string },
): Promise<Upload> => {
  const earlier = await earlierUse(context.uploads, request, "createUpload");
  if (earlier === undefined) {
    throw refusal;
  }
  checkReplay(earlier, idempotencyOf(request, "createUpload", await contentOf()));
  return ownUpload(context, request, earlier.id);
};
