import { createHash } from "node:crypto";
import { RequestError } from "../../domain/errors.ts";
import type { StoredFile } from "../../domain/file-ports.ts";
import { detectFormat } from "../../domain/formats/detect.ts";
import { MULTIPART_FRAME_BYTES_MAX, TEST_UPLOAD_BYTES_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { safeFilename, type UploadedFile } from "../../domain/uploads/upload.ts";
import { checkSimulatedRefusal } from "../middleware/simulated-errors.ts";
import type { ApiRequest } from "../request.ts";
import { bytesMaxOf } from "../sign-in/visitors.ts";
import { contentSample } from "./content-sample.ts";
import { readFile } from "./multipart.ts";

/** A file from a multipart form, with its detected format. */
export interface ReceivedFile extends UploadedFile {
  readonly filename: string;
}

/** The destination of a received file. */
interface Target {
  /** @throws RequestError `payload_too_large` */
  readonly store: (content: AsyncIterable<Uint8Array>, bytesMax: number) => Promise<StoredFile>;
  /** Removes what was stored. */
  readonly discard: () => Promise<void>;
}

/** Stores the file in the file store. */
export const storedAs = ({ files }: Pick<Context, "files">, key: string): Target => ({
  store: (content, bytesMax) => files.storeStream(key, content, bytesMax),
  discard: () => files.remove([key]),
});

/** Measures the file without storing it. */
export const measuredOnly: Target = {
  store: async (content, bytesMax) => {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        throw new RequestError("payload_too_large", `The file is larger than the limit of ${bytesMax} bytes.`);
      }
      hash.update(chunk);
    }
    return { bytes, sha256: hash.digest("hex") };
  },
  discard: async () => {},
};

/**
 * Streams the file of a multipart form to its destination, and detects its format.
 *
 * @throws RequestError `payload_too_large`, `malformed_multipart`, `invalid_request`, `unrecognized_format`,
 * `unsupported_media_type`; nothing remains stored then
 */
export const receiveFile = async (
  context: Pick<Context, "uploadBytesMax">,
  request: ApiRequest<unknown>,
  { store, discard }: Target,
): Promise<ReceivedFile> => {
  const bytesMax = limitOf(context, request);
  checkLength(request, bytesMax);
  const sample = contentSample();
  const received = await readFile(
    request,
    async ({ filename, content }) => {
      const name = safeFilename(filename);
      checkSimulatedRefusal(request, name);
      return { ...(await store(sample.watch(content), bytesMax)), filename: name };
    },
    discard,
  );
  try {
    return { ...received, format: formatOf(received, sample) };
  } catch (error) {
    await discard();
    throw error;
  }
};

const limitOf = ({ uploadBytesMax }: Pick<Context, "uploadBytesMax">, request: ApiRequest<unknown>): number => {
  const bytesMax = bytesMaxOf(request, uploadBytesMax);
  return request.isTest ? Math.min(TEST_UPLOAD_BYTES_MAX, bytesMax) : bytesMax;
};

/** A body whose Content-Length is too large is rejected before it is read. */
const checkLength = (request: ApiRequest<unknown>, bytesMax: number): void => {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax + MULTIPART_FRAME_BYTES_MAX) {
    throw new RequestError("payload_too_large", `Files in a form can have at most ${bytesMax} bytes.`);
  }
};

/** @throws RequestError `invalid_request` for an empty file, `unrecognized_format` */
const formatOf = (
  { bytes, filename }: { readonly bytes: number; readonly filename: string },
  sample: ReturnType<typeof contentSample>,
): ReceivedFile["format"] => {
  if (bytes === 0) {
    const detail = "The file is empty.";
    throw new RequestError("invalid_request", detail, { errors: [{ pointer: "/file", code: "empty", detail }] });
  }
  const format = detectFormat(sample.head(), { tail: sample.tail(), filename });
  if (format === undefined) {
    throw new RequestError(
      "unrecognized_format",
      "The file format was not recognized. GET /api/v1/formats lists the supported formats.",
    );
  }
  return format;
};
