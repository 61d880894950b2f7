import { BYTES_INPUT_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { DirectConversions, DirectOutcome, DirectRequest } from "../../domain/jobs/direct-conversions.ts";
import type { Context } from "../../domain/ports.ts";
import type { ConversionRequest } from "../conversion/conversion-request.ts";
import { withPreset } from "../presets/with-preset.ts";
import type { ApiRequest } from "../request.ts";
import { type Acceptance, queueJob } from "./accept-job.ts";
import { acceptanceOf, WAIT_MS_MIN } from "./convert-directly.ts";
import { jobFor } from "./new-job.ts";

/**
 * Accepts a conversion of one upload whose client waits for the end of the job: a small file is converted at once if a
 * converter is free, and queued otherwise. Not with an idempotency key: two requests with the same key would convert the
 * file twice.
 *
 * @param waitMs milliseconds that the client is willing to wait
 * @returns undefined for any other request
 * @throws RequestError as `acceptJob` does
 */
export const convertUpload = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  waitMs: number,
): Promise<Acceptance | undefined> => {
  const { body, claim: quota, headers } = request;
  const { direct } = context;
  const isSingle = body.upload_id !== undefined && headers["idempotency-key"] === undefined;
  if (direct === undefined || !isSingle || waitMs < WAIT_MS_MIN) {
    return undefined;
  }
  const complete = await withPreset(context, request);
  if ("steps" in complete) {
    return undefined;
  }
  const job = await jobFor(context, complete.request);
  const ended =
    job.inputBytes > BYTES_INPUT_MAX
      ? undefined
      : await convertReserved(direct, { job, quota, idempotency: undefined, stored: "written" });
  return (
    (await acceptanceOf(context, request, { ended, idempotency: undefined })) ??
    (await queueJob(context, request, { jobOf: async () => job, idempotency: undefined }))
  );
};

/** No file is in memory yet, but no account may have more requests that wait for a converter. */
const convertReserved = async (
  direct: DirectConversions,
  request: DirectRequest,
): Promise<DirectOutcome | undefined> => {
  const release = direct.reserve(request.job.accountId);
  try {
    return release && (await direct.convert(request));
  } finally {
    release?.();
  }
};
