import type { Account, Conversion, ConversionRequest, FormatList, Job, JobList, JobStatus, Upload } from "./api.ts";
import { atOnce } from "./at-once.ts";
import { AnyformError, inputError } from "./errors.ts";
import { type ConvertedFile, resultFile } from "./file.ts";
import type { OpenedInput } from "./input.ts";
import { cancel, deleteUpload, endOf, runJob, type Waiting } from "./jobs.ts";
import { type ClientSettings, type Service, serviceAt } from "./request.ts";
import type { Hasher } from "./sha256.ts";
import { upload } from "./upload.ts";

/** Settings of a conversion other than its input and target. */
export interface ConvertOptions extends Waiting {
  /** Conversion options, for example `{ quality: 80 }`. `formats` lists the available options. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the result. Default: the input's name with the target's extension. */
  readonly filename?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** ID of an interrupted upload: only its missing parts are sent. */
  readonly resume?: string | undefined;
}

export interface ManyOptions extends ConvertOptions {
  /** Concurrent conversions. @default 4 */
  readonly concurrency?: number | undefined;
}

/** Result of one input of `convertMany`. */
export type Outcome<Input, File> =
  | { readonly input: Input; readonly file: File; readonly error?: undefined }
  | { readonly input: Input; readonly file?: undefined; readonly error: AnyformError };

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  /** ID, extension or media type of a format. */
  readonly sourceFormat?: string | undefined;
  readonly targetFormat?: string | undefined;
  /** ID of the API key that created the jobs. */
  readonly keyId?: string | undefined;
  /** Part of the name of the source file or of the result, in any case. */
  readonly filename?: string | undefined;
  /** Jobs from this time on, for example `2026-11-22T09:30:00Z` or `2026-11-22`. */
  readonly createdAfter?: string | undefined;
  /** Jobs before this time. */
  readonly createdBefore?: string | undefined;
  readonly limit?: number | undefined;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
}

export interface FormatFilter {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly family?: string | undefined;
  /** ID of an engine: only conversions that use it. */
  readonly engine?: string | undefined;
  /** Whether to add the conversions with their options, and the details of the formats. */
  readonly conversions?: boolean | undefined;
}

/** A client of one service with one key. All methods throw {@link AnyformError}, or the reason of an aborted signal. */
export interface Client<Input, File> {
  /** Converts one input. The result is downloaded when it is read. @throws ConversionError */
  convert(input: Input, target: string, options?: ConvertOptions): Promise<File>;
  /** Converts several inputs concurrently. A failed input does not affect the others. */
  convertMany(inputs: readonly Input[], target: string, options?: ManyOptions): Promise<Outcome<Input, File>[]>;
  /** Merges several inputs into one file, for example images into a PDF. */
  merge(inputs: readonly Input[], target: string, options?: ConvertOptions): Promise<File>;
  upload(input: Input, options?: Pick<ConvertOptions, "onProgress" | "resume" | "signal">): Promise<Upload>;
  /** @returns the current state of the job */
  status(id: string): Promise<Job>;
  /** Waits until a job ends. */
  wait(id: string, waiting?: Waiting): Promise<File>;
  /** Cancels a job that has not ended. A job that has ended keeps its result. */
  cancel(id: string): Promise<void>;
  /** Deletes an upload with its file, before it expires. Jobs that were created from it are not affected. */
  deleteUpload(id: string): Promise<void>;
  jobs(filter?: JobFilter): Promise<JobList>;
  account(): Promise<Account>;
  /** Lists the supported formats with their targets. Does not require a key. */
  formats(filter?: FormatFilter): Promise<FormatList>;
  /** @returns one conversion with its options; formats as IDs, extensions or media types. Does not require a key. */
  conversion(source: string, target: string): Promise<Conversion>;
}

/** Platform-specific parts: kinds of inputs and results, and a fast hash. */
export interface Platform<Input, File> {
  open(input: Input): Promise<OpenedInput>;
  result(file: ConvertedFile): File;
  hasher(): Hasher;
}

const CONCURRENCY_DEFAULT = 4;

export const clientOn = <Input, File>(
  platform: Platform<Input, File>,
  settings: ClientSettings,
): Client<Input, File> => {
  const service = serviceAt(settings);
  const fileOf = (job: Job, waiting: Waiting): File =>
    platform.result(resultFile({ service, hasher: platform.hasher, ...waiting }, job));
  const send = async (input: Input, options: ConvertOptions): Promise<Upload> =>
    sendOpened(await platform.open(input), options);
  const sendOpened = async (opened: OpenedInput, options: ConvertOptions): Promise<Upload> => {
    try {
      return await upload({ service, hasher: platform.hasher, ...options }, opened);
    } finally {
      await (opened.kind === "bytes" ? opened.release?.() : undefined);
    }
  };
  /** An input that is already uploaded does not need another request. */
  const idOf = async (input: Input, options: ConvertOptions): Promise<string> => {
    const opened = await platform.open(input);
    return opened.kind === "uploaded" ? opened.uploadId : (await sendOpened(opened, options)).upload_id;
  };
  const convert = async (input: Input, target: string, options: ConvertOptions = {}): Promise<File> => {
    const upload_id = await idOf(input, options);
    return fileOf(await runJob(service, { upload_id, ...requestOf(target, options) }, options), options);
  };
  return {
    convert,
    convertMany: (inputs, target, options = {}) =>
      atOnce(inputs, { limit: options.concurrency ?? CONCURRENCY_DEFAULT, signal: options.signal }, (input, signal) =>
        outcomeOf(input, convert(input, target, { ...options, signal })),
      ),
    merge: async (inputs, target, options = {}) => {
      if (options.resume !== undefined) {
        throw inputError("`resume` accepts a single upload and cannot be used with merge.");
      }
      const sent = await atOnce(inputs, { limit: CONCURRENCY_DEFAULT, signal: options.signal }, (input, signal) =>
        idOf(input, { ...options, signal }),
      );
      const request = { upload_ids: sent, ...requestOf(target, options) };
      return fileOf(await runJob(service, request, options), options);
    },
    upload: (input, options = {}) => send(input, options),
    wait: async (id, waiting = {}) => fileOf(await endOf(service, await jobOf(service, id), waiting), waiting),
    status: (id) => jobOf(service, id),
    cancel: (id) => cancel(service, id),
    deleteUpload: (id) => deleteUpload(service, id),
    jobs: (filter = {}) => service.json({ to: `convert${queryOf(inSnakeCase({ ...filter }))}` }),
    account: () => service.json({ to: "account" }),
    formats: (filter = {}) => service.json({ to: `formats${queryOf({ ...filter })}` }),
    conversion: (source, target) =>
      service.json({ to: `formats/${encodeURIComponent(source)}/${encodeURIComponent(target)}` }),
  };
};

const jobOf = (service: Service, id: string): Promise<Job> =>
  service.json({ to: `convert/${encodeURIComponent(id)}/status` });

const requestOf = (target: string, options: ConvertOptions): Omit<ConversionRequest, "upload_id" | "upload_ids"> => ({
  target_format: target,
  ...(options.options && { options: { ...options.options } }),
  ...(options.filename !== undefined && { filename: options.filename }),
  ...(options.webhookUrl !== undefined && { webhook_url: options.webhookUrl }),
  ...(options.metadata && { metadata: { ...options.metadata } }),
});

/** An aborted signal or a rejected key ends all conversions, since the others would fail too. */
const outcomeOf = async <Input, File>(input: Input, converted: Promise<File>): Promise<Outcome<Input, File>> => {
  try {
    return { input, file: await converted };
  } catch (error) {
    if (error instanceof AnyformError && error.status !== 401) {
      return { input, error };
    }
    throw error;
  }
};

type Filter = Readonly<Record<string, boolean | number | string | undefined>>;

/** @returns the filter with the names of the API: `sourceFormat` becomes `source_format` */
const inSnakeCase = (filter: Filter): Filter =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const queryOf = (filter: Filter): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) {
      query.set(name, String(value));
    }
  }
  return query.size === 0 ? "" : `?${query}`;
};
