import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { IMPORT_URL_CHARACTERS_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { type FetchedSource, safeFilename } from "../../domain/uploads/upload.ts";
import { checkSimulatedRefusal } from "../middleware/simulated-errors.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { checkVisitorsImport, holdVisitor } from "../sign-in/visitors.ts";
import { objectKey, storageName } from "../storages/export-request.ts";
import { outboundHeaders } from "../storages/outbound-headers.ts";
import { requireStorage } from "../storages/require-storage.ts";
import { filenameField } from "./filename-field.ts";
import { earlierUpload, newUpload, recordUpload, repeatUpload } from "./record-upload.ts";
import { reserveSpace } from "./reserve-space.ts";
import { declaredFormat, sourceFormatField } from "./source-format.ts";

const isSet = (value: unknown): boolean => value !== undefined;

export const importUploadRequest = z
  .strictObject({
    url: z.optional(
      described(
        z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(IMPORT_URL_CHARACTERS_MAX)),
        "The URL of the file. Must be reachable from the internet; up to five redirects are followed.",
      ),
    ),
    storage: z.optional(storageName()),
    key: z.optional(objectKey("The key of the object in the storage.")),
    filename: z.optional(filenameField("The filename. Default: the last segment of the URL's path, or of the key.")),
    source_format: z.optional(sourceFormatField),
    headers: z.optional(outboundHeaders("the request for the file")),
  })
  .check(
    z.refine(({ url, storage, key }) => isSet(url) !== isSet(storage) && isSet(storage) === isSet(key), {
      path: ["url"],
      message: "Set `url`, or `storage` and `key`.",
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
    z.refine(({ storage, headers }) => !(isSet(storage) && isSet(headers)), {
      path: ["headers"],
      message: "`headers` belong to `url`.",
      when: ({ value }) => typeof value === "object" && value !== null,
    }),
  );

// Without `oneOf`: client generators make an untyped object of it.
z.globalRegistry.add(importUploadRequest, {
  description: "A file that the service fetches: set `url`, or `storage` and `key`.",
});

type Import = z.infer<typeof importUploadRequest>;

/**
 * Creates an upload that the service fetches in the background.
 *
 * @throws RequestError when it is refused; nothing is counted then
 */
export const importUpload = async (context: Context, request: ApiRequest<Import>): Promise<Answer> => {
  const { body } = request;
  const sourceFormat = declaredFormat(body.source_format);
  await holdVisitor(context, request);
  checkSimulatedRefusal(request, body.filename ?? "");
  checkVisitorsImport(request);
  const content = JSON.stringify(body);
  // The size is not known yet; the import checks for space while it stores the file.
  const space = reserveSpace(context, request, 0);
  if ("refusal" in space) {
    const earlier = await earlierUpload(context, request, space.refusal);
    return repeatUpload(context, request, { earlier, content });
  }
  try {
    const source: FetchedSource = {
      kind: "fetched",
      ...(await addressOf(context, request)),
      ...(sourceFormat !== undefined && { sourceFormat }),
    };
    const filename = safeFilename(body.filename ?? filenameIn(source));
    const upload = { ...newUpload(context, request), filename, status: "pending", source } as const;
    return await recordUpload(context, request, { upload, content });
  } finally {
    space.release();
  }
};

/** @throws RequestError `not_found` for an unknown storage */
const addressOf = async (
  context: Context,
  request: ApiRequest<Import>,
): Promise<Pick<FetchedSource, "headers" | "object" | "url">> => {
  const { url = "", headers = {}, storage, key = "" } = request.body;
  if (storage === undefined) {
    return { url, headers };
  }
  await requireStorage(context, request, storage);
  return { url: "", headers: {}, object: { storage, key } };
};

/** @returns the last segment of the URL's path, or of the key */
const filenameIn = ({ url, object }: Pick<FetchedSource, "object" | "url">): string => {
  if (object !== undefined) {
    return object.key.split("/").at(-1) ?? "";
  }
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};
