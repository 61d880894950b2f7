import type { Account, ConversionRequest, FormatList, Job, JobList, JobStatus, Upload } from "./api.ts";
import { atOnce } from "./at-once.ts";
import { AnyformError, inputError } from "./errors.ts";
import { type ConvertedFile, resultFile } from "./file.ts";
import type { OpenedInput } from "./input.ts";
import { cancel, endOf, runJob, type Waiting } from "./jobs.ts";
import { type ClientSettings, type Service, serviceAt } from "./request.ts";
import type { Hasher } from "./sha256.ts";
import { upload } from "./upload.ts";

/** What a conversion takes beside its input and its target. */
export interface ConvertOptions extends Waiting {
  /** Of the conversion, for example `{ quality: 80 }`; `formats` tells which there are. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Of the result, in place of the input's with another extension. */
  readonly filename?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The id of an upload that broke off: only its missing parts are sent. */
  readonly resume?: string | undefined;
}

export interface ManyOptions extends ConvertOptions {
  /** Conversions at once. @default 4 */
  readonly concurrency?: number | undefined;
}

/** What became of one of many. */
export type Outcome<Input, File> =
  | { readonly input: Input; readonly file: File; readonly error?: undefined }
  | { readonly input: Input; readonly file?: undefined; readonly error: AnyformError };

export interface JobFilter {
  readonly status?: Exclude<JobStatus, "expired"> | undefined;
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

export interface FormatFilter {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly family?: string | undefined;
}

/** A client of one service with one key. Everything throws {@link AnyformError}, and the reason of an aborted signal. */
export interface Client<Input, File> {
  /** Converts one input. The result is downloaded when it is read. @throws ConversionError */
  convert(input: Input, target: string, options?: ConvertOptions): Promise<File>;
  /** Converts many, some at once; one that fails takes nothing from the others. */
  convertMany(inputs: readonly Input[], target: string, options?: ManyOptions): Promise<Outcome<Input, File>[]>;
  /** Makes one file of several, for example a PDF of pictures. */
  merge(inputs: readonly Input[], target: string, options?: ConvertOptions): Promise<File>;
  upload(input: Input, options?: Pick<ConvertOptions, "onProgress" | "resume" | "signal">): Promise<Upload>;
  /** @returns the job as it is now */
  status(id: string): Promise<Job>;
  /** Waits for a job's end. */
  wait(id: string, waiting?: Waiting): Promise<File>;
  /** Cancels a job that has not ended; erases one that has, with its files. */
  cancel(id: string): Promise<void>;
  jobs(filter?: JobFilter): Promise<JobList>;
  account(): Promise<Account>;
  /** What the service can do. Needs no key. */
  formats(filter?: FormatFilter): Promise<FormatList>;
}

/** What a platform adds: its own kinds of input and of result, and a fast hash. */
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
  /** What is there already needs no request of its own. */
  const idOf = async (input: Input, options: ConvertOptions): Promise<string> => {
    const opened = await platform.open(input);
    return opened.kind === "uploaded" ? opened.uploadId : (await sendOpened(opened, options)).upload_id;
  };
  const convert = async (input: Input, target: string, options: ConvertOptions = {}): Promise<File> => {
    const upload_id = await idOf(input, options);
    return fileOf(await runJob(service, { upload_id, ...wishesOf(target, options) }, options), options);
  };
  return {
    convert,
    convertMany: (inputs, target, options = {}) =>
      atOnce(inputs, { limit: options.concurrency ?? CONCURRENCY_DEFAULT, signal: options.signal }, (input, signal) =>
        outcomeOf(input, convert(input, target, { ...options, signal })),
      ),
    merge: async (inputs, target, options = {}) => {
      if (options.resume !== undefined) {
        throw inputError("`resume` goes on with one upload; a merge has several.");
      }
      const sent = await atOnce(inputs, { limit: CONCURRENCY_DEFAULT, signal: options.signal }, (input, signal) =>
        idOf(input, { ...options, signal }),
      );
      const request = { upload_ids: sent, ...wishesOf(target, options) };
      return fileOf(await runJob(service, request, options), options);
    },
    upload: (input, options = {}) => send(input, options),
    wait: async (id, waiting = {}) => fileOf(await endOf(service, await jobOf(service, id), waiting), waiting),
    status: (id) => jobOf(service, id),
    cancel: (id) => cancel(service, id),
    jobs: (filter = {}) => service.json({ to: `convert${queryOf({ ...filter })}` }),
    account: () => service.json({ to: "account" }),
    formats: (filter = {}) => service.json({ to: `formats${queryOf({ ...filter })}` }),
  };
};

const jobOf = (service: Service, id: string): Promise<Job> =>
  service.json({ to: `convert/${encodeURIComponent(id)}/status` });

const wishesOf = (target: string, options: ConvertOptions): Omit<ConversionRequest, "upload_id" | "upload_ids"> => ({
  target_format: target,
  ...(options.options && { options: { ...options.options } }),
  ...(options.filename !== undefined && { filename: options.filename }),
  ...(options.webhookUrl !== undefined && { webhook_url: options.webhookUrl }),
  ...(options.metadata && { metadata: { ...options.metadata } }),
});

/** An aborted signal, or a key that is refused, ends all: the others would fare no better. */
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

const queryOf = (filter: Readonly<Record<string, string | number | undefined>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) {
      query.set(name, String(value));
    }
  }
  return query.size === 0 ? "" : `?${query}`;
};
