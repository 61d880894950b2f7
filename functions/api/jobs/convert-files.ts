import { Readable } from "node:stream";
import { outageOf } from "../../domain/errors/resource-errors.ts";
import { RequestError } from "../../domain/errors.ts";
import { WAIT_SECONDS_MAX } from "../../domain/limits.ts";
import { uploadMeasured } from "../../domain/measurements.ts";
import type { Context, IdempotencyClaim } from "../../domain/ports.ts";
import type { ReadyUpload } from "../../domain/uploads/upload.ts";
import { asError, logger } from "../../logger.ts";
import { type ConversionBody, readConversion } from "../conversion/conversion-body.ts";
import type { ConversionSettings } from "../conversion/conversion-request.ts";
import { convertedAnswer } from "../conversion/converted-answer.ts";
import { earlierUse, idempotencyOf, onceAtATime } from "../middleware/idempotency.ts";
import { waitForJob, waitMilliseconds } from "../middleware/wait.ts";
import { type Answer, type ApiRequest, requestKeys } from "../request.ts";
import { holdVisitor } from "../sign-in/visitors.ts";
import { measuredOnly, type ReceivedFile, storedAs } from "../uploads/receive-file.ts";
import { newUpload } from "../uploads/record-upload.ts";
import { reserveBodySpace } from "../uploads/reserve-space.ts";
import { type Acceptance, acceptJob, repeatedJob } from "./accept-job.ts";
import { convertDirectly, type FileChunks, filesInMemory } from "./convert-directly.ts";

const OPERATION = "createJob";

/**
 * Converts the files in the body of the request, and returns the result if the job ends while the request waits. The
 * files become uploads, so that the job is like any other, except for a small file that is converted at once, in memory.
 * Only the conversion is counted.
 *
 * @throws RequestError when the request is rejected; nothing remains stored or counted then
 */
export const convertFiles = async (context: Context, request: ApiRequest<unknown>): Promise<Answer> => {
  const milliseconds = waitMilliseconds(request, WAIT_SECONDS_MAX);
  const { job, ...accepted } = await onceAtATime(context, request, {
    operation: OPERATION,
    work: () => accept(context, request, milliseconds),
  });
  // Lambda gets the complete body, and must end in time. The gateway streams it, which can take longer than the wait.
  const start = context.files.servedByGateway ? context.clock() : request.now;
  const left = Math.max(0, start + milliseconds - context.clock());
  const waited = await waitForJob(context, job, { milliseconds: left, enough: () => false });
  return convertedAnswer(context, request, { ...accepted, job: waited });
};

const accept = async (context: Context, request: ApiRequest<unknown>, waitMs: number): Promise<Acceptance> => {
  const space = reserveBodySpace(context, request);
  if ("refusal" in space) {
    return repeatWithoutSpace(context, request, space.refusal);
  }
  const memory = filesInMemory(context, request, waitMs);
  try {
    const created: ReturnType<typeof newUpload>[] = [];
    const { files, settings } = await readConversion(context, request, async () => {
      await holdVisitor(context, request);
      const upload = newUpload(context, request);
      created.push(upload);
      return memory?.next() ?? storedAs(context, upload.key);
    });
    // Files are received one after another, so each has the index of its upload.
    const uploads = files.flatMap(({ sourceFormat: _, field: option, ...file }, index): NewUpload[] => {
      const upload = created[index];
      return upload === undefined ? [] : [{ ...(option && { option }), ...upload, ...file, status: "ready" }];
    });
    const received = { uploads, files, settings };
    return await (memory === undefined
      ? acceptStored(context, request, received)
      : acceptInMemory(context, request, { ...received, contents: memory.contents() }));
  } finally {
    memory?.release();
    space.release();
  }
};

/** A request that repeats an earlier one needs no space: its files are only compared. */
const repeatWithoutSpace = async (
  context: Context,
  request: ApiRequest<unknown>,
  refusal: unknown,
): Promise<Acceptance> => {
  const earlier = await earlierUse(context.jobs, request, OPERATION);
  if (earlier === undefined) {
    throw refusal;
  }
  const { files, settings } = await readConversion(context, request, async () => measuredOnly);
  return repeatedJob(context, earlier, claimOf(request, files, settings()));
};

/** Converts a small file at once. If that is not possible, its files are stored like any others, and the job is queued. */
const acceptInMemory = async (
  context: Context,
  request: ApiRequest<unknown>,
  { contents, ...received }: StoredFiles & { readonly contents: readonly FileChunks[] },
): Promise<Acceptance> => {
  const { uploads, files } = received;
  const settings = received.settings();
  const idempotency = claimOf(request, files, settings);
  const earlier = idempotency && (await context.jobs.findReplay(idempotency.key, request.now));
  if (earlier !== undefined) {
    return repeatedJob(context, earlier, idempotency);
  }
  const conversion = { ...request, body: bodyOf(uploads, settings) };
  const ended = await convertDirectly(context, conversion, { uploads, contents, idempotency });
  if (ended !== undefined) {
    return ended;
  }
  const stored: NewUpload[] = [];
  for (const [index, upload] of uploads.entries()) {
    const content = Readable.from(contents[index] ?? []);
    const { sha256 } = await context.files.storeStream(upload.key, content, upload.bytes);
    stored.push({ ...upload, sha256 });
  }
  return acceptStored(context, request, { ...received, uploads: stored });
};

interface StoredFiles extends ConversionBody {
  readonly uploads: readonly NewUpload[];
}

/** An upload of the request. */
type NewUpload = ReadyUpload & {
  /** The option whose value it is. @default it is converted */
  readonly option?: string;
};

/** The files are deleted unless they belong to a new job. */
const acceptStored = async (
  context: Context,
  request: ApiRequest<unknown>,
  { uploads, files, settings: settingsOf }: StoredFiles,
): Promise<Acceptance> => {
  try {
    const settings = settingsOf();
    const idempotency = claimOf(request, files, settings);
    const earlier = idempotency && (await context.jobs.findReplay(idempotency.key, request.now));
    if (earlier === undefined) {
      await record(context, uploads);
    }
    const acceptance = earlier
      ? await repeatedJob(context, earlier, idempotency)
      : await acceptJob(context, { ...request, body: bodyOf(uploads, settings) }, idempotency);
    if (acceptance.replayed) {
      await discard(context, request, uploads);
    }
    return acceptance;
  } catch (error) {
    // After any other error, the job may exist and need its files. Without a job they expire.
    if (error instanceof RequestError || outageOf(error) !== undefined) {
      await discard(context, request, uploads);
    }
    throw error;
  }
};

const record = async ({ uploads: store, metrics }: Context, uploads: readonly NewUpload[]): Promise<void> => {
  for (const { option: _, ...upload } of uploads) {
    await store.createUpload(upload, undefined);
    metrics.record(uploadMeasured(upload.bytes));
  }
};

const bodyOf = (uploads: readonly NewUpload[], settings: ConversionSettings) => {
  const upload_ids = uploads.flatMap(({ id, option }) => (option === undefined ? [id] : []));
  const values = uploads.flatMap(({ id, option }) => (option === undefined ? [] : [[option, id] as const]));
  const options = values.length === 0 ? {} : { options: { ...settings.options, ...Object.fromEntries(values) } };
  const [upload_id, ...further] = upload_ids;
  return { ...settings, ...options, ...(further.length === 0 ? { upload_id } : { upload_ids }) };
};

/** @returns the claim of the `Idempotency-Key`, with what a repeated request must have in common with the first */
const claimOf = (
  request: ApiRequest<unknown>,
  files: readonly ReceivedFile[],
  body: ConversionSettings,
): IdempotencyClaim | undefined => {
  if (request.headers["idempotency-key"] === undefined) {
    return undefined;
  }
  const described = files.map(({ filename, bytes, sha256, sourceFormat, field }) => [
    filename,
    bytes,
    sha256,
    sourceFormat,
    field,
  ]);
  return idempotencyOf(request, OPERATION, JSON.stringify([described, body]));
};

/** Files that cannot be deleted now expire. The response must not depend on it. */
const discard = async (
  context: Context,
  request: ApiRequest<unknown>,
  uploads: readonly ReadyUpload[],
): Promise<void> => {
  try {
    await context.files.remove(uploads.map(({ key }) => key));
    for (const { id } of uploads) {
      await context.uploads.expire(id, request.now);
    }
  } catch (error) {
    logger.warn("files of a rejected request were not deleted", { ...requestKeys(request), error: asError(error) });
  }
};
