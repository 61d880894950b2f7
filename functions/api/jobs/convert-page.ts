import { Readable } from "node:stream";
import { outageOf } from "../../domain/errors/resource-errors.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context, IdempotencyClaim } from "../../domain/ports.ts";
import { internetShortcut } from "../../domain/uploads/internet-shortcut.ts";
import type { ReadyUpload } from "../../domain/uploads/upload.ts";
import type { ConversionRequest } from "../conversion/conversion-request.ts";
import type { ApiRequest } from "../request.ts";
import { checkVisitorsImport } from "../sign-in/visitors.ts";
import { newUpload } from "../uploads/record-upload.ts";
import { reserveSpace } from "../uploads/reserve-space.ts";
import { type Acceptance, acceptJob, repeatedJob } from "./accept-job.ts";

/** An internet shortcut contains the URL and 30 further bytes. */
const SHORTCUT_BYTES_MAX = 4_096;

/**
 * Accepts a conversion of the web page at the URL of the body. The URL becomes an upload, an internet shortcut, so that
 * the job is like any other.
 *
 * @throws RequestError when the request is rejected; nothing remains stored or counted then
 */
export const acceptPage = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  idempotency: IdempotencyClaim | undefined,
): Promise<Acceptance> => {
  const { url = "", ...settings } = request.body;
  checkVisitorsImport(request);
  checkSupported(context);
  const earlier = idempotency && (await context.jobs.findReplay(idempotency.key, request.now));
  if (earlier) {
    return repeatedJob(context, earlier, idempotency);
  }
  const space = reserveSpace(context, request, SHORTCUT_BYTES_MAX);
  if ("refusal" in space) {
    throw space.refusal;
  }
  try {
    const upload = await storeShortcut(context, request, new URL(url));
    return await acceptStored(context, request, { upload, settings, idempotency });
  } finally {
    space.release();
  }
};

/** @throws RequestError `unsupported_conversion` where no engine loads web pages */
const checkSupported = ({ routes }: Context): void => {
  if (routes.targets("url").length === 0) {
    throw new RequestError(
      "unsupported_conversion",
      "This server does not load web pages. Save the page as HTML or MHTML, and upload the file.",
    );
  }
};

const storeShortcut = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  url: URL,
): Promise<ReadyUpload> => {
  const draft = newUpload(context, request);
  const content = Buffer.from(internetShortcut(url));
  const stored = await context.files.storeStream(draft.key, Readable.from([content]), SHORTCUT_BYTES_MAX);
  const upload: ReadyUpload = { ...draft, ...stored, status: "ready", filename: `${url.hostname}.url`, format: "url" };
  await context.uploads.createUpload(upload, undefined);
  return upload;
};

interface StoredPage {
  readonly upload: ReadyUpload;
  readonly settings: Omit<ConversionRequest, "url">;
  readonly idempotency: IdempotencyClaim | undefined;
}

/** The shortcut is deleted unless it belongs to a new job. */
const acceptStored = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  { upload, settings, idempotency }: StoredPage,
): Promise<Acceptance> => {
  const discard = async (): Promise<void> => {
    await context.files.remove([upload.key]);
    await context.uploads.expire(upload.id, request.now);
  };
  try {
    const body = { ...settings, upload_id: upload.id };
    const acceptance = await acceptJob(context, { ...request, body }, idempotency);
    if (acceptance.replayed) {
      await discard();
    }
    return acceptance;
  } catch (error) {
    // After any other error, the job may exist and need its file. Without a job it expires.
    if (error instanceof RequestError || outageOf(error) !== undefined) {
      await discard();
    }
    throw error;
  }
};
