import { RequestError } from "../errors.ts";
import { canBe, detectFormat } from "../formats/detect.ts";
import type { FormatId } from "../formats/formats.ts";
import { unsupportedName } from "../formats/unsupported.ts";

/** What the client declares about a file in addition to its name. */
export interface Declaration {
  /** `source_format` of the request. */
  readonly sourceFormat?: FormatId | undefined;
  /** The media type of a form's part, of an announcement, or of the response that an import received. */
  readonly mediaType?: string | undefined;
}

/** The properties of a file that determine its format. */
export interface FileSample extends Declaration {
  /** The first `DETECTION_BYTES` of the file, or all of it. */
  readonly head: Uint8Array;
  /** @returns the last `DETECTION_BYTES` of the file, or all of it */
  readonly tail: () => Uint8Array;
  readonly filename: string;
}

/**
 * @returns the declared format if the content can be of it, otherwise the detected one
 * @throws RequestError `source_format_mismatch` when the content is of another format than the declared one,
 * `unrecognized_format` when neither detection nor the client determines the format
 */
export const formatOfFile = ({ head, tail, sourceFormat, ...hints }: FileSample): FormatId => {
  const format = detectFormat(head, { tail, ...hints });
  if (sourceFormat !== undefined && sourceFormat !== format && !canBe(sourceFormat, head, tail)) {
    const found = format === undefined ? "content does not have the structure of this format" : `content is ${format}`;
    throw new RequestError(
      "source_format_mismatch",
      `source_format is ${sourceFormat}, but the ${found}. Correct source_format or leave it out.`,
    );
  }
  const unsupported = sourceFormat === undefined && format === undefined ? unsupportedName(head) : undefined;
  if (unsupported !== undefined) {
    throw new RequestError(
      "unrecognized_format",
      `The file is not supported: ${unsupported}. GET /api/v1/formats lists the supported formats.`,
    );
  }
  if (sourceFormat === undefined && format === undefined) {
    throw new RequestError(
      "unrecognized_format",
      "The file format was not recognized. GET /api/v1/formats lists the supported formats.",
    );
  }
  return (sourceFormat ?? format) as FormatId;
};
