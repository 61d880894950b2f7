import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { IMPORT_HEADER_CHARACTERS_MAX, IMPORT_HEADERS_MAX, IMPORT_URL_CHARACTERS_MAX } from "../../domain/limits.ts";
import type { Context } from "../../domain/ports.ts";
import { safeFilename } from "../../domain/uploads/upload.ts";
import { checkSimulatedRefusal } from "../middleware/simulated-errors.ts";
import type { Answer, ApiRequest } from "../request.ts";
import { checkVisitorsImport, holdVisitor } from "../sign-in/visitors.ts";
import { filenameField } from "./filename-field.ts";
import { earlierUpload, newUpload, recordUpload, repeatUpload } from "./record-upload.ts";
import { reserveSpace } from "./reserve-space.ts";
import { declaredFormat, sourceFormatField } from "./source-format.ts";

/** Set by the connection to the other server, so clients cannot. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "connection", "transfer-encoding"]);

const HEADER_NAME = `a header name of 1 to 100 letters, digits and hyphens, except ${[...RESERVED_HEADERS].join(", ")}`;

const headerName = z.string().check(
  z.regex(/^[A-Za-z0-9-]{1,100}$/, HEADER_NAME),
  z.refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), HEADER_NAME),
);
const headerValue = z
  .string()
  .check(z.maxLength(IMPORT_HEADER_CHARACTERS_MAX), z.regex(/^[\t\x20-\x7e]*$/, "ASCII text"));

const headers = z
  .record(headerName, headerValue)
  .check(
    z.refine(
      (entries) => Object.keys(entries).length <= IMPORT_HEADERS_MAX,
      `an object with at most ${IMPORT_HEADERS_MAX} headers`,
    ),
  );

// The JSON Schema that is generated from this does not include refinements.
z.globalRegistry.add(headers, {
  description: `Headers of the request for the file, such as \`Authorization\`; not ${[...RESERVED_HEADERS].join(", ")}. Never returned.`,
  maxProperties: IMPORT_HEADERS_MAX,
});

export const importUploadRequest = described(
  z.strictObject({
    url: described(
      z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(IMPORT_URL_CHARACTERS_MAX)),
      "The URL of the file. Must be reachable from the internet; up to five redirects are followed.",
    ),
    filename: z.optional(filenameField("The filename. Default: the last segment of the URL's path.")),
    source_format: z.optional(sourceFormatField),
    headers: z.optional(headers),
  }),
  "A file that the service fetches.",
);

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
    const filename = safeFilename(body.filename ?? filenameIn(body.url));
    const declared = sourceFormat === undefined ? {} : { sourceFormat };
    const source = { kind: "fetched", url: body.url, headers: body.headers ?? {}, ...declared } as const;
    const upload = { ...newUpload(context, request), filename, status: "pending", source } as const;
    return await recordUpload(context, request, { upload, content });
  } finally {
    space.release();
  }
};

/** @returns the last segment of the URL's path */
const filenameIn = (url: string): string => {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};
