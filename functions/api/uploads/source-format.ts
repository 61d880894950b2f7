import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import { type FormatId, formatNamed, formatNames } from "../../domain/formats/formats.ts";
import { suggestion } from "../../domain/nearest-name.ts";

/** Maximum length of a media type or format name in a request. */
export const SOURCE_FORMAT_CHARACTERS_MAX = 200;

export const SOURCE_FORMAT_DESCRIPTION =
  "The format of the file: an ID, an extension or a media type. Default: detected from the content, then from the filename, then from the media type. Set it if the content is ambiguous, such as a CSV file named `data.dat`. A file whose content has the signature of another format is rejected.";

export const sourceFormatField = described(
  z.string().check(z.minLength(1), z.maxLength(SOURCE_FORMAT_CHARACTERS_MAX)),
  SOURCE_FORMAT_DESCRIPTION,
);

/**
 * @param name `source_format` of the request, if it has one
 * @returns the format with this ID, extension or media type
 * @throws RequestError `invalid_request` for an unknown one, with the nearest name
 */
export const declaredFormat = (name: string | undefined): FormatId | undefined => {
  if (name === undefined) {
    return undefined;
  }
  const format = formatNamed(name);
  if (format === undefined) {
    const near = suggestion(name.replace(/^\./, ""), formatNames) || " `GET /api/v1/formats` lists the formats.";
    const detail = `Unknown source_format "${name.slice(0, 50)}".${near}`;
    throw new RequestError("invalid_request", detail, {
      errors: [{ pointer: "/source_format", code: "unknown_format", detail }],
    });
  }
  return format;
};
