import { RequestError } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import { VISITOR_UPLOAD_BYTES_MAX, VISITOR_UPLOADS_PER_NETWORK_DAY } from "../domain/sign-in-limits.ts";
import { takeOfNetwork } from "./allowances.ts";
import type { ApiRequest } from "./request.ts";

/** What visitors without an account may not, or not so often. For whoever has one, nothing of this holds. */

type Asking = ApiRequest<unknown>;

export const isVisitor = ({ session }: Pick<Asking, "session">): boolean => session?.by === "visitor";

/**
 * Counts a visitor's upload before its bytes are read, so that those which are refused count too.
 *
 * @throws RequestError `rate_limited`
 */
export const holdVisitor = async (context: Context, request: Asking): Promise<void> => {
  if (isVisitor(request)) {
    const { limit } = VISITOR_UPLOADS_PER_NETWORK_DAY;
    await takeOfNetwork(context, request, {
      name: "uploads of visitors",
      allowance: VISITOR_UPLOADS_PER_NETWORK_DAY,
      text: `Without an account ${limit} files a day are free from one network. Sign in to go on at once`,
    });
  }
};

/** @returns the bytes that a file of this request may have, where that is less than `bytesMax` */
export const bytesMaxOf = (request: Pick<Asking, "session">, bytesMax: number): number =>
  isVisitor(request) ? Math.min(VISITOR_UPLOAD_BYTES_MAX, bytesMax) : bytesMax;

/** @throws RequestError `payload_too_large`, `invalid_request`: a visitor may send small files, and have none fetched */
export const checkVisitorsFile = (
  request: Asking,
  file: { readonly size: number } | { readonly url: string },
): void => {
  if (!isVisitor(request)) {
    return;
  }
  if ("url" in file) {
    throw refused("/url", "Files are fetched from addresses for accounts only. Sign in, or send the file itself.");
  }
  if (file.size > VISITOR_UPLOAD_BYTES_MAX) {
    throw new RequestError(
      "payload_too_large",
      `Without an account a file may have at most ${VISITOR_UPLOAD_BYTES_MAX} bytes. Sign in to send larger ones.`,
    );
  }
};

/** @throws RequestError `invalid_request`: messages go to strangers' servers, and a visitor answers for none */
export const checkVisitorsWebhook = (request: Asking, url: string | undefined): void => {
  if (isVisitor(request) && url !== undefined) {
    throw refused("/webhook_url", "Webhooks are for accounts only. Sign in, or look at the job's status.");
  }
};

const refused = (pointer: string, detail: string): RequestError =>
  new RequestError("invalid_request", detail, { errors: [{ pointer, code: "not_for_visitors", detail }] });
