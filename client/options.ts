import type { ConversionStep, ExportTarget, JobStatus } from "./api.ts";
import type { PageFilter } from "./calls/query.ts";
import type { AnyformError } from "./http/errors.ts";
import type { RequestSettings } from "./http/request.ts";
import type { Waiting } from "./jobs.ts";
import type { ConversionOptions, FormatId } from "./option-types.ts";

/** Parameters of the client's methods. */

/** ID of a format; also an extension or a media type, and formats that this version of the client does not know. */
export type FormatName = FormatId | (string & {});

/** Settings of a single request. */
export interface CallOptions extends RequestSettings {
  readonly signal?: AbortSignal | undefined;
}

/** Settings of `conversion`. */
export interface ConversionDetailsOptions extends CallOptions {
  /** Formats of further files: the details are those of the merge. */
  readonly mergeWith?: readonly string[] | undefined;
}

/** Settings that all conversions have in common. */
export interface ConversionOptionsOf {
  /** Conversion options, for example `{ quality: 80 }`. `conversion` lists those of a pair of formats. */
  readonly options?: Readonly<ConversionOptions> | undefined;
  /** Options that this version of the client does not know, and options from user input. The service checks them. */
  readonly otherOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the result. Default: the input's name with the target's extension. */
  readonly filename?: string | undefined;
  readonly webhookUrl?: string | undefined;
  /** `file`: the webhook has the result itself as its body. Default: `job`. */
  readonly webhookBody?: "job" | "file" | undefined;
  /** Where the service sends the result: a URL, or a saved storage of the account with a key. */
  readonly exportTo?: Readonly<ExportTarget> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Name of a saved preset. Its options apply unless `options` sets them. */
  readonly preset?: string | undefined;
  /** Steps after the conversion, each of which reads the result of the one before. */
  readonly steps?: readonly ConversionStep[] | undefined;
}

/** Settings of a conversion other than its input and target. */
export interface ConvertOptions extends ConversionOptionsOf, Waiting, RequestSettings {
  /** Format of the input. Default: detected. */
  readonly sourceFormat?: FormatName | undefined;
  /** ID of an interrupted upload: only its missing parts are sent. */
  readonly resume?: string | undefined;
}

export type UploadOptions = Pick<
  ConvertOptions,
  "onProgress" | "resume" | "signal" | "sourceFormat" | keyof RequestSettings
>;

export interface ManyOptions extends ConvertOptions {
  /** Concurrent conversions. @default 4 */
  readonly concurrency?: number | undefined;
}

/** Result of one input of `convertMany`. */
export type Outcome<Input, File> =
  | { readonly input: Input; readonly file: File; readonly error?: undefined }
  | { readonly input: Input; readonly file?: undefined; readonly error: AnyformError };

/** A conversion of a batch: of one upload, or of several that are merged. */
export type BatchConversion = ConversionOptionsOf & {
  /** Can be missing with `preset` or `steps`. */
  readonly target?: FormatName | undefined;
} & (
    | { readonly uploadId: string; readonly uploadIds?: undefined }
    | { readonly uploadIds: readonly string[]; readonly uploadId?: undefined }
  );

export interface JobFilter extends PageFilter {
  /** ID of a job: a list of one. */
  readonly jobId?: string | undefined;
  readonly status?: JobStatus | undefined;
  /** ID, extension or media type of a format. */
  readonly sourceFormat?: FormatName | undefined;
  readonly targetFormat?: FormatName | undefined;
  /** ID of the API key that created the jobs. */
  readonly keyId?: string | undefined;
  /** Part of the name of the source file or of the result, in any case. */
  readonly filename?: string | undefined;
  /** Jobs from this time on, for example `2026-11-22T09:30:00Z` or `2026-11-22`. */
  readonly createdAfter?: string | undefined;
  /** Jobs before this time. */
  readonly createdBefore?: string | undefined;
}

export interface FormatFilter {
  readonly source?: FormatName | undefined;
  readonly target?: FormatName | undefined;
  readonly family?: string | undefined;
  /** ID of an engine: only conversions that use it. */
  readonly engine?: string | undefined;
  /** Whether to add the conversions with their options, and the details of the formats. */
  readonly conversions?: boolean | undefined;
}
