import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { RequestError } from "../domain/errors.ts";
import type { ApiRequest } from "./request.ts";

/** One file of a form, while it streams by. */
export interface IncomingFile {
  readonly filename: string;
  readonly content: AsyncIterable<Uint8Array>;
}

const FIELD_NAME_BYTES_MAX = 100;
/** Parts that are looked at; a right body has one, and each further one is an error that is told once. */
const PARTS_MAX = 10;
/** Bytes of the headers of one part. */
const PART_HEADER_BYTES_MAX = 8_192;

/**
 * Reads a `multipart/form-data` body (RFC 7578) that holds exactly one field, the file called `file`, and hands the
 * file to `store` as it streams by, so that memory stays flat. Where it throws, the rest of the body is unread.
 *
 * @param discard called with what was stored, when the body turns out wrong afterwards
 * @throws RequestError `unsupported_media_type`, `malformed_multipart`, `invalid_request`, and whatever `store` throws
 */
export const readFile = async <Stored>(
  request: ApiRequest<unknown>,
  store: (file: IncomingFile) => Promise<Stored>,
  discard: (stored: Stored) => Promise<void>,
): Promise<Stored> => {
  const form = readForm(request, store);
  const broken = await form.ended.catch((error: unknown) => (form.isOfStore(error) ? error : asFormError(error)));
  const storing = await form.stored();
  if (broken !== undefined) {
    if (storing?.status === "fulfilled") {
      await discard(storing.value);
    }
    throw broken;
  }
  if (storing === undefined) {
    throw wrongField("file", "required", "Send the file in a field called `file`.");
  }
  if (storing.status === "rejected") {
    throw storing.reason;
  }
  return storing.value;
};

/** @returns when the body is read to its end, what came of its file then, and whether it was the store that failed */
const readForm = <Stored>(request: ApiRequest<unknown>, store: (file: IncomingFile) => Promise<Stored>) => {
  const body = request.stream();
  const busboy = parserFor(request);
  let file: BusboyFileStream | undefined;
  let storing: Promise<Stored> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    busboy.on("file", (field: string | undefined, stream: BusboyFileStream, filename: string | undefined) => {
      if (field !== "file" || file !== undefined) {
        stream.on("error", reject);
        stream.resume();
        reject(unexpected(field));
        return;
      }
      file = stream;
      const stored = store({ filename: filename ?? "", content: stream });
      storing = stored;
      stored.catch((error: unknown) => {
        // What breaks the stream off is what the store fails with, and is told of the form.
        failure = stream.errored === error ? undefined : { error };
        reject(error);
      });
      // Whoever stops to read a stream breaks it off, and knows better why than the stream does.
      stream.on("error", (error) => void stored.then(() => reject(error), reject));
    });
    busboy.on("field", (field: string) => reject(unexpected(field)));
    busboy.on("partsLimit", () => reject(new RequestError("malformed_multipart", "The body has too many parts.")));
    busboy.on("finish", resolve);
    busboy.on("error", reject);
    body.on("error", () => reject(new RequestError("malformed_multipart", "The body broke off before its end.")));
    body.pipe(busboy);
  });
  const stop = (error: unknown) => {
    body.unpipe(busboy);
    file?.destroy(error instanceof Error ? error : undefined);
  };
  return {
    ended: ended.catch((error: unknown) => {
      stop(error);
      throw error;
    }),
    stored: async () => storing && (await Promise.allSettled([storing]))[0],
    isOfStore: (error: unknown) => failure !== undefined && failure.error === error,
  };
};

const parserFor = (request: ApiRequest<unknown>): BusboyInstance => {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data *;/i.test(type)) {
    const got = type || "a body without type";
    throw new RequestError(
      "unsupported_media_type",
      `Send multipart/form-data with a field \`file\` here, not ${got}.`,
    );
  }
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: {
        fieldNameSize: FIELD_NAME_BYTES_MAX,
        parts: PARTS_MAX,
        headerSize: PART_HEADER_BYTES_MAX,
        fieldSize: 0,
      },
    });
  } catch (error) {
    throw new RequestError("malformed_multipart", `The multipart header cannot be read: ${reason(error)}.`);
  }
};

const asFormError = (error: unknown): Error =>
  error instanceof RequestError || isSystemError(error)
    ? error
    : new RequestError("malformed_multipart", `The multipart body cannot be read: ${reason(error)}.`);

/** A full disk or a broken connection is no fault of the form. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && typeof error.code === "string";

const reason = (error: unknown): string => (error instanceof Error ? error.message : "it is broken");

const unexpected = (field: string | undefined): RequestError =>
  field === "file"
    ? wrongField("file", "too_many", "Send one file in a request.")
    : wrongField(field ?? "", "unknown", "Only the field `file` is known here, and it must be a file.");

const wrongField = (field: string, code: string, detail: string): RequestError =>
  new RequestError("invalid_request", detail, { errors: [{ pointer: `/${field}`, code, detail }] });
