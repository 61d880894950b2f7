import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { VISITOR_UPLOAD_BYTES_MAX, VISITOR_UPLOADS_PER_NETWORK_DAY } from "../../domain/sessions/sign-in-limits.ts";
import type { ApiRequest } from "../request.ts";
import { takeOfNetwork } from "./allowances.ts";

/** Limits for visitors without an account. */

type Asking = ApiRequest<unknown>;

export const isVisitor = ({ session }: Pick<Asking, "session">): boolean => session?.by === "visitor";

/**
 * Counts a visitor's upload before its bytes are read, so that rejected uploads count too.
 *
 * @throws RequestError `rate_limited`
 */
export const holdVisitor = async (context: Context, request: Asking): Promise<void> => {
  if (isVisitor(request)) {
    const { limit } = VISITOR_UPLOADS_PER_NETWORK_DAY;
    await takeOfNetwork(context, request, {
      name: "uploads of visitors",
      allowance: VISITOR_UPLOADS_PER_NETWORK_DAY,
      text: `Without an account, each network can convert ${limit} files per day. Sign in to continue`,
    });
  }
};

/** @returns the maximum size of a file in this request, at most `bytesMax` */
export const bytesMaxOf = (request: Pick<Asking, "session">, bytesMax: number): number =>
  isVisitor(request) ? Math.min(VISITOR_UPLOAD_BYTES_MAX, bytesMax) : bytesMax;

/** @throws RequestError `invalid_request`: the service fetches files for accounts only */
export const checkVisitorsImport = (request: Asking): void => {
  if (isVisitor(request)) {
    throw refused("/url", "Importing from a URL requires an account. Sign in, or upload the file instead.");
  }
};

/** @throws RequestError `payload_too_large` */
export const checkVisitorsSize = (request: Asking, bytes: number): void => {
  if (isVisitor(request) && bytes > VISITOR_UPLOAD_BYTES_MAX) {
    throw new RequestError(
      "payload_too_large",
      `Without an account, files can have up to ${VISITOR_UPLOAD_BYTES_MAX} bytes. Sign in to upload larger files.`,
    );
  }
};

/** @throws RequestError `invalid_request`: webhooks go to third-party servers, which requires an accountable sender */
export const checkVisitorsWebhook = (request: Asking, url: string | undefined): void => {
  if (isVisitor(request) && url !== undefined) {
    throw refused("/webhook_url", "Webhooks require an account. Sign in, or poll the job.");
  }
};

/** @throws RequestError `invalid_request`: like webhooks */
export const checkVisitorsExport = (request: Asking, target: object | undefined): void => {
  if (isVisitor(request) && target !== undefined) {
    throw refused("/export", "Exports require an account. Sign in, or download the result.");
  }
};

const refused = (pointer: string, detail: string): RequestError =>
  new RequestError("invalid_request", detail, { errors: [{ pointer, code: "not_for_visitors", detail }] });
