import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { RequestError } from "../../domain/errors.ts";
import type { ApiRequest } from "../request.ts";

/** The file of a form, as a stream. */
export interface IncomingFile {
  readonly filename: string;
  readonly content: AsyncIterable<Uint8Array>;
}

const FIELD_NAME_BYTES_MAX = 100;
/** Maximum number of parts that are read. A valid body has one; the first extra one is reported. */
const PARTS_MAX = 10;
/** Bytes of the headers of one part. */
const PART_HEADER_BYTES_MAX = 8_192;

/**
 * Reads a `multipart/form-data` body (RFC 7578) with exactly one field, the file `file`, and streams the file to
 * `store`, so that memory stays constant. When it throws, the rest of the body is unread.
 *
 * @param discard called with the stored file if the rest of the body is invalid
 * @throws RequestError `unsupported_media_type`, `malformed_multipart`, `invalid_request`, and whatever `store` throws
 */
export const readFile = async <Stored>(
  request: ApiRequest<unknown>,
  store: (file: IncomingFile) => Promise<Stored>,
  discard: (stored: Stored) => Promise<void>,
): Promise<Stored> => {
  const form = openForm(request);
  const file = await form.file;
  if (file === undefined) {
    throw wrongField("file", "required", "Missing file: send it in a field named `file`.");
  }
  const { content } = file;
  // The first failure stops the other side: the store stops reading, or there is nothing more to read.
  form.ended.catch((error: unknown) => content.destroy(error instanceof Error ? error : undefined));
  const storing = store(file);
  storing.catch((error: unknown) => form.fail(error === content.errored ? asFormError(error) : error));
  const [stored, ended] = await Promise.allSettled([storing, form.ended]);
  if (ended.status === "rejected") {
    if (stored.status === "fulfilled") {
      await discard(stored.value);
    }
    throw ended.reason;
  }
  if (stored.status === "rejected") {
    throw stored.reason;
  }
  return stored.value;
};

/**
 * @returns promises of the file (undefined without one) and of the end of the form. Both reject with the first error
 */
const openForm = (request: ApiRequest<unknown>) => {
  const body = request.stream();
  const busboy = parserFor(request);
  const file = Promise.withResolvers<(IncomingFile & { readonly content: BusboyFileStream }) | undefined>();
  const ended = Promise.withResolvers<void>();
  const fail = (error: unknown): void => {
    body.unpipe(busboy);
    file.reject(error);
    ended.reject(error);
  };
  // If the form fails before its file, nobody waits for its end.
  ended.promise.catch(() => {});
  const refuse = (field: string | undefined, content: BusboyFileStream): void => {
    content.on("error", fail).resume();
    fail(unexpected(field));
  };
  busboy.once("file", (field: string | undefined, content: BusboyFileStream, filename: string | undefined) => {
    if (field !== "file") {
      refuse(field, content);
      return;
    }
    busboy.on("file", refuse);
    // The reader fails with the same error.
    content.on("error", () => {});
    file.resolve({ filename: filename ?? "", content });
  });
  busboy.on("field", (field: string) => fail(unexpected(field)));
  busboy.on("partsLimit", () => fail(new RequestError("malformed_multipart", "The body has too many parts.")));
  busboy.on("finish", () => {
    ended.resolve();
    file.resolve(undefined);
  });
  busboy.on("error", (error: unknown) => fail(asFormError(error)));
  body.on("error", () => fail(new RequestError("malformed_multipart", "The body is truncated.")));
  body.pipe(busboy);
  return { file: file.promise, ended: ended.promise, fail };
};

const parserFor = (request: ApiRequest<unknown>): BusboyInstance => {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data *;/i.test(type)) {
    const got = type || "no content type";
    throw new RequestError("unsupported_media_type", `Send multipart/form-data with a field \`file\`, not ${got}.`);
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

/** A full disk or a broken connection is not the fault of the form. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && typeof error.code === "string";

const reason = (error: unknown): string => (error instanceof Error ? error.message : "it is broken");

const unexpected = (field: string | undefined): RequestError =>
  field === "file"
    ? wrongField("file", "too_many", "Send one file per request.")
    : wrongField(
        field ?? "",
        "unknown",
        `Unknown field "${field ?? ""}". Send only the field \`file\`, with a filename.`,
      );

const wrongField = (field: string, code: string, detail: string): RequestError =>
  new RequestError("invalid_request", detail, { errors: [{ pointer: `/${field}`, code, detail }] });
