import type { OptionName, Options } from "../../domain/conversions/options.ts";
import { uploadOptions } from "../../domain/conversions/options.ts";
import type { Route } from "../../domain/conversions/plan.ts";
import { type FieldError, RequestError } from "../../domain/errors.ts";
import type { FormatId } from "../../domain/formats/formats.ts";
import type { OptionInput } from "../../domain/jobs/job.ts";
import type { Context } from "../../domain/ports.ts";
import type { ReadyUpload } from "../../domain/uploads/upload.ts";
import { checkBytes, type Uploads } from "../jobs/choose-route.ts";
import type { ApiRequest } from "../request.ts";
import { readyUpload } from "../uploads/require-upload.ts";

/** A conversion whose options are valid, except that their uploads were not checked. */
interface Checked {
  readonly route: Route;
  readonly options: Options;
  readonly uploads: Uploads;
}

/**
 * @returns the uploads that are the values of options
 * @throws RequestError as {@link readyUpload}, with a pointer to the option; `invalid_options` for an upload in another
 * format; `payload_too_large` when all uploads of the job together are too large
 */
export const optionFilesOf = async (
  context: Context,
  request: ApiRequest<unknown>,
  { route, options, uploads }: Checked,
): Promise<OptionInput[]> => {
  const files: OptionInput[] = [];
  const found: ReadyUpload[] = [];
  for (const [option, value] of Object.entries(options) as [OptionName, unknown][]) {
    const formats = route.rules?.[option]?.formats ?? uploadOptions.get(option);
    if (formats !== undefined) {
      const upload = await uploadFor(context, request, { option, formats, id: String(value) });
      found.push(upload);
      files.push(inputOf(option, upload));
    }
  }
  checkBytes([...uploads, ...found], route);
  return files;
};

const inputOf = (option: OptionName, { id, key, bytes, format, filename }: ReadyUpload): OptionInput => ({
  option,
  uploadId: id,
  inputKey: key,
  inputBytes: bytes,
  format,
  filename,
});

interface Wanted {
  readonly option: OptionName;
  readonly formats: readonly FormatId[];
  readonly id: string;
}

const uploadFor = async (
  context: Context,
  request: ApiRequest<unknown>,
  { option, formats, id }: Wanted,
): Promise<ReadyUpload> => {
  const errorsFor = (code: string, detail: string): FieldError[] => [{ pointer: `/options/${option}`, code, detail }];
  try {
    const upload = await readyUpload(context, request, id);
    if (!formats.includes(upload.format)) {
      const detail = `\`${option}\` must be an upload in one of the formats ${formats.join(", ")}, not ${upload.format}.`;
      throw new RequestError("invalid_options", detail, { errors: errorsFor("format", detail) });
    }
    return upload;
  } catch (error) {
    if (!(error instanceof RequestError) || error.code === "invalid_options") {
      throw error;
    }
    const detail = `\`${option}\`: ${error.message}`;
    throw new RequestError(error.code, detail, { ...error.extra, errors: errorsFor(error.code, detail) });
  }
};
