import { finished, Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { RequestError } from "../../domain/errors.ts";
import { FORM_FIELDS_BYTES_MAX, MERGED_UPLOADS_MAX } from "../../domain/limits.ts";
import { checkEncoding } from "../middleware/read-json.ts";
import type { ApiRequest } from "../request.ts";

/** A file of a form, as a stream. */
export interface IncomingFile {
  /** The name of its field, if that is not `file`. */
  readonly field?: string;
  /** Empty if the part has no filename. */
  readonly filename: string;
  /** The content type of the part. */
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** How the files of a form are received. */
export interface FormReader<Stored> {
  readonly filesMax: number;
  /** Other fields that can have one file each. @default none */
  readonly fileFields?: ReadonlySet<string>;
  /** Maximum size of the complete body, with its frame. */
  readonly bodyBytesMax: number;
  /** Receives the files one after another. */
  readonly store: (file: IncomingFile) => Promise<Stored>;
  /** Called with each stored file if the rest of the body is invalid. */
  readonly discard: (stored: Stored) => Promise<void>;
}

export interface ReceivedForm<Stored> {
  /** At least one, in the order of the form. */
  readonly files: readonly Stored[];
  /** Name and value of the other fields, in the order of the form. */
  readonly fields: readonly (readonly [string, string])[];
}

const FIELD_NAME_BYTES_MAX = 100;
const FIELDS_MAX = 100;
const FIELD_BYTES_MAX = 64_000;
/** Maximum number of parts that are read: files, fields, and files in other fields, which are ignored. */
const PARTS_MAX = MERGED_UPLOADS_MAX + FIELDS_MAX + 20;
const JSON_TYPE = "application/json";
/** Bytes of the headers of one part. */
const PART_HEADER_BYTES_MAX = 8_192;

/**
 * Reads a `multipart/form-data` body (RFC 7578) with files in the field `file` and in `fileFields`, and streams each to `store`, so that
 * memory stays constant. Files in other fields are ignored. When it throws, the rest of the body is unread.
 *
 * @throws RequestError `unsupported_media_type`, `malformed_multipart`, `invalid_request`, `payload_too_large`, and
 * whatever `store` throws
 */
export const readForm = async <Stored>(
  request: ApiRequest<unknown>,
  reader: FormReader<Stored>,
): Promise<ReceivedForm<Stored>> => {
  const form = openForm(request, reader);
  const files: Stored[] = [];
  try {
    for await (const file of form.files) {
      files.push(await storeOne(form, file, reader.store));
    }
    await form.ended;
  } catch (error) {
    form.fail(error);
    for (const stored of files) {
      await reader.discard(stored);
    }
    throw form.failure();
  }
  if (!form.hasFile()) {
    throw wrongField("file", "required", "Missing file: send it in a field named `file`.");
  }
  return { files, fields: form.fields };
};

/** @returns whether the body is a form, valid or not */
export const isForm = ({ headers }: ApiRequest<unknown>): boolean =>
  /^multipart\//i.test(headers["content-type"] ?? "");

type StreamedFile = IncomingFile & { readonly content: BusboyFileStream };

/** The first failure stops the other side: the store stops reading, or there is nothing more to read. */
const storeOne = async <Stored>(
  form: Pick<OpenForm, "fail">,
  file: StreamedFile,
  store: FormReader<Stored>["store"],
): Promise<Stored> => {
  try {
    return await store(file);
  } catch (error) {
    form.fail(error === file.content.errored ? asFormError(error) : error);
    throw error;
  }
};

interface OpenForm {
  /** The files as they arrive; fails with the form. */
  readonly files: AsyncIterable<StreamedFile>;
  readonly fields: [string, string][];
  /** Rejects with the first error. */
  readonly ended: Promise<void>;
  /** Whether the field `file` was received. */
  hasFile(): boolean;
  fail(error: unknown): void;
  failure(): unknown;
}

type Limits = Pick<FormReader<unknown>, "bodyBytesMax" | "fileFields" | "filesMax">;

const openForm = (request: ApiRequest<unknown>, { filesMax, bodyBytesMax, fileFields }: Limits): OpenForm => {
  const body = request.stream();
  const busboy = parserFor(request);
  const ended = Promise.withResolvers<void>();
  // If the form fails before its end, nobody waits for it.
  ended.promise.catch(() => {});
  // At most `filesMax` files wait here; of each, busboy buffers at most 64 kB.
  const files = new Readable({ objectMode: true, read: () => {} }).on("error", () => {});
  const contents: BusboyFileStream[] = [];
  const counts = new Map<string, number>();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    if (failure !== undefined) {
      return;
    }
    failure = { error };
    body.unpipe(busboy);
    ended.reject(error);
    for (const stream of [files, ...contents]) {
      stream.destroy(error instanceof Error ? error : undefined);
    }
  };
  busboy.on("file", (...[field, content, filename, , mediaType]: FilePart) => {
    content.on("error", (error) => {
      // Otherwise its reader has stopped, and fails with the reason.
      if (!content.destroyed) {
        fail(asFormError(error));
      }
    });
    const isOther = field !== undefined && field !== "file" && fileFields?.has(field) === true;
    if (field !== "file" && !isOther) {
      content.resume();
      return;
    }
    contents.push(content);
    const count = (counts.get(field) ?? 0) + 1;
    counts.set(field, count);
    if (count > (isOther ? 1 : filesMax)) {
      fail(wrongField(field, "too_many", isOther ? `Send one file in \`${field}\`.` : tooMany(filesMax)));
      return;
    }
    files.push({
      ...(isOther && { field }),
      ...{ filename: filename ?? "", mediaType, content },
    } satisfies StreamedFile);
  });
  busboy.on("finish", () => {
    ended.resolve();
    files.push(null);
  });
  busboy.on("error", (error: unknown) => fail(asFormError(error)));
  // Also if the client has disconnected before: then the stream emits nothing any more.
  finished(body, { writable: false }, (error) => {
    if (error) {
      fail(new RequestError("malformed_multipart", "The body is truncated."));
    }
  });
  limitBody(body, bodyBytesMax, fail);
  const fields = fieldsOf(busboy, fail);
  body.pipe(busboy);
  return {
    files,
    fields,
    ended: ended.promise,
    hasFile: () => counts.has("file"),
    fail,
    failure: () => failure?.error,
  };
};

const tooMany = (filesMax: number): string =>
  filesMax === 1 ? "Send one file per request." : `A form can have at most ${filesMax} files.`;

/** Ignored parts count as well, so that no body is endless. */
const limitBody = (body: Readable, bytesMax: number, fail: (error: unknown) => void): void => {
  let bytes = 0;
  body.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      fail(new RequestError("payload_too_large", `The form is larger than the limit of ${bytesMax} bytes.`));
    }
  });
};

/** @returns the list to which the fields of the form are added */
const fieldsOf = (busboy: BusboyInstance, fail: (error: unknown) => void): [string, string][] => {
  const fields: [string, string][] = [];
  let bytes = 0;
  busboy.on("field", (name: string, value: string, _: boolean, isTruncated: boolean) => {
    bytes += Buffer.byteLength(value);
    if (isTruncated || bytes > FORM_FIELDS_BYTES_MAX) {
      const detail = `Form fields can have at most ${FIELD_BYTES_MAX} bytes each and ${FORM_FIELDS_BYTES_MAX} in total.`;
      fail(new RequestError("payload_too_large", detail));
      return;
    }
    fields.push([name, value]);
  });
  busboy.on("fieldsLimit", () => {
    fail(new RequestError("malformed_multipart", `A form can have at most ${FIELDS_MAX} fields in addition to files.`));
  });
  busboy.on("partsLimit", () => fail(new RequestError("malformed_multipart", "The body has too many parts.")));
  return fields;
};

type FilePart = [
  field: string | undefined,
  content: BusboyFileStream,
  filename: string | undefined,
  encoding: string,
  mediaType: string,
];

const parserFor = (request: ApiRequest<unknown>): BusboyInstance => {
  const type = request.headers["content-type"] ?? "";
  checkEncoding(request);
  if (!/^multipart\/form-data *(?:;|$)/i.test(type)) {
    const got = type || "a body without a content type";
    throw new RequestError("unsupported_media_type", `Send multipart/form-data with a field \`file\`, not ${got}.`);
  }
  if (!/; *boundary *=/i.test(type)) {
    const detail = "The Content-Type has no boundary. Let your HTTP client set it.";
    throw new RequestError("malformed_multipart", detail);
  }
  try {
    return new Busboy({
      headers: { "content-type": type },
      // Some clients send the file without a filename (`curl -F "file=<a.png"`), and JSON fields with one (`Blob`).
      isPartAFile: (field, type, filename) => field === "file" || (filename !== undefined && type !== JSON_TYPE),
      limits: {
        fieldNameSize: FIELD_NAME_BYTES_MAX,
        fields: FIELDS_MAX,
        fieldSize: FIELD_BYTES_MAX,
        parts: PARTS_MAX,
        headerSize: PART_HEADER_BYTES_MAX,
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

const wrongField = (field: string, code: string, detail: string): RequestError =>
  new RequestError("invalid_request", detail, { errors: [{ pointer: `/${field}`, code, detail }] });
