import { BYTES_INPUT_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { Context } from "../../domain/ports.ts";
import type { ConversionRequest } from "../conversion/conversion-request.ts";
import { withPreset } from "../presets/with-preset.ts";
import type { ApiRequest } from "../request.ts";
import type { Acceptance } from "./accept-job.ts";
import { acceptanceOf, WAIT_MS_MIN } from "./convert-directly.ts";
import { jobFor } from "./new-job.ts";

/**
 * Converts a small upload at once, if a converter is free and the client waits for the end of the job anyway. Not with an
 * idempotency key: two requests with the same key would convert the file twice.
 *
 * @param waitMs milliseconds that the client is willing to wait
 * @returns undefined if the job must be queued; nothing was stored or counted then
 * @throws RequestError when the job is rejected
 */
export const convertUpload = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  waitMs: number,
): Promise<Acceptance | undefined> => {
  const { accountId, body, claim: quota, headers } = request;
  const { direct } = context;
  const isSingle = body.upload_id !== undefined && headers["idempotency-key"] === undefined;
  // No file is in memory yet, but no account may have more requests that wait for a converter.
  const release = isSingle && waitMs >= WAIT_MS_MIN ? direct?.reserve(accountId) : undefined;
  if (direct === undefined || release === undefined) {
    return undefined;
  }
  try {
    const complete = await withPreset(context, request);
    const job = "steps" in complete ? undefined : await jobFor(context, complete.request);
    if (job === undefined || job.inputBytes > BYTES_INPUT_MAX) {
      return undefined;
    }
    const ended = await direct.convert({ job, quota, idempotency: undefined, stored: "written" });
    return await acceptanceOf(context, request, { ended, idempotency: undefined });
  } finally {
    release();
  }
};
