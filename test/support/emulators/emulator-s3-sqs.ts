import type { IncomingMessage } from "node:http";
import { buildApp } from "fauxqs";
import { addParts } from "./emulator-parts.ts";
import { isSignedByOwner } from "./emulator-signature.ts";

export interface S3SqsEmulator {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export interface S3SqsOptions {
  readonly credentials: { readonly id: string; readonly secret: string };
  /** Milliseconds since 1970, for the expiry of signed URLs. */
  readonly clock: () => number;
}

/** The emulator accepts 11 MiB by default; tests also convert larger inputs. */
const BODY_BYTES_MAX = 512 * 1024 * 1024;

/**
 * Starts the emulator of S3 and SQS in this process, on a free loopback port. Its S3 ignores most of a signed URL, so
 * that part of S3 is added here: the signature, the expiry, and the response headers.
 */
export const startS3Sqs = async (options: S3SqsOptions): Promise<S3SqsEmulator> => {
  const app = buildApp({ logger: false });
  // SQS and SNS have separate parsers, so all other bodies are objects.
  app.addContentTypeParser(
    /^[a-z]+\/(?!x-)/,
    { parseAs: "buffer", bodyLimit: BODY_BYTES_MAX },
    (_request, body, done) => done(null, body),
  );
  app.addHook("onRequest", async (request, reply) => {
    // A body without a type is handled by the emulator's parser, which is limited to 11 MiB.
    request.raw.headers["content-type"] ??= "application/octet-stream";
    const refusal = refusalOf(request.raw, options);
    if (refusal !== undefined) {
      await reply.code(refusal.status).type("application/xml").send(refusal.body);
    }
  });
  app.addHook("onSend", async (request, reply) => {
    if (reply.statusCode < 300) {
      reply.headers(overrides(queryOf(request.raw)));
    }
  });
  addParts(app);
  const endpoint = await app.listen({ host: "127.0.0.1", port: 0 });
  return { endpoint, stop: () => app.close() };
};

/**
 * @returns the headers that a signed URL overrides (S3 API reference, GetObject, "Overriding response header values")
 */
const overrides = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    ["content-disposition", "content-type", "cache-control"].flatMap((header) => {
      const value = query.get(`response-${header}`);
      return value === null ? [] : [[header, value]];
    }),
  );

/** @returns S3's error for a request with a signed URL; undefined if it is valid, or the URL is not signed */
const refusalOf = (request: IncomingMessage, { credentials, clock }: S3SqsOptions) => {
  const query = queryOf(request);
  if (!query.has("X-Amz-Signature")) {
    return undefined;
  }
  if (request.headers.authorization !== undefined) {
    return refusal(400, "InvalidArgument", "Only one auth mechanism allowed.");
  }
  if (!isSignedByOwner(request, credentials)) {
    return refusal(403, "SignatureDoesNotMatch", "The signature is not the one that the owner would give.");
  }
  const signedAt = Date.parse(
    (query.get("X-Amz-Date") ?? "").replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"),
  );
  const expired = clock() >= signedAt + 1_000 * Number(query.get("X-Amz-Expires"));
  return expired ? refusal(403, "AccessDenied", "Request has expired") : undefined;
};

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

const queryOf = ({ url = "/" }: IncomingMessage): URLSearchParams => new URL(url, "http://127.0.0.1").searchParams;
