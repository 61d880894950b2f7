import type {
  Account,
  Batch,
  Conversion,
  ConversionRequest,
  ConversionSettings,
  FormatList,
  Job,
  JobList,
  Upload,
  Usage,
  UsageDetails,
} from "./api.ts";
import { atOnce } from "./at-once.ts";
import { type Following, jobEvents } from "./calls/events.ts";
import { keeper } from "./calls/kept.ts";
import { type Converted, convertInOneCall } from "./calls/one-call.ts";
import { type Pipelines, type Presets, pipelinesOf, presetsOf } from "./calls/pipelines.ts";
import { itemsOf, queryOf } from "./calls/query.ts";
import { type Requests, requestsOf } from "./calls/requests.ts";
import { type Storages, storagesOf } from "./calls/storages.ts";
import { type Webhooks, webhooksOf } from "./calls/webhooks.ts";
import { AnyformError, inputError } from "./http/errors.ts";
import { type ClientSettings, idempotencyKey, type RequestSettings, type Service, serviceFor } from "./http/request.ts";
import { cancel, deleteJob, deleteUpload, endOf, runJob, type Waiting } from "./jobs.ts";
import type {
  BatchConversion,
  CallOptions,
  ConversionDetailsOptions,
  ConversionOptionsOf,
  ConvertOptions,
  FormatFilter,
  FormatName,
  JobFilter,
  ManyOptions,
  Outcome,
  UploadOptions,
} from "./options.ts";
import { type ConvertedFile, resultFile } from "./transfer/file.ts";
import type { OpenedInput } from "./transfer/input.ts";
import type { Hasher } from "./transfer/sha256.ts";
import { upload } from "./transfer/upload.ts";

/** A client of one service with one key. All methods throw {@link AnyformError}, or the reason of an aborted signal. */
export interface Client<Input, File> {
  /**
   * Converts one input. The result is downloaded when it is read.
   *
   * @param target can be undefined with `preset` or `steps`
   * @throws ConversionError
   */
  convert(input: Input, target: FormatName | undefined, options?: ConvertOptions): Promise<File>;
  /** Converts several inputs concurrently. A failed input does not affect the others. */
  convertMany(
    inputs: readonly Input[],
    target: FormatName | undefined,
    options?: ManyOptions,
  ): Promise<Outcome<Input, File>[]>;
  /** Merges several inputs into one file, for example images into a PDF. */
  merge(inputs: readonly Input[], target: FormatName | undefined, options?: ConvertOptions): Promise<File>;
  upload(input: Input, options?: UploadOptions): Promise<Upload>;
  /** Starts up to 100 conversions of uploads. @returns a job or a problem for each, in the same order */
  batch(conversions: readonly BatchConversion[], options?: CallOptions): Promise<Batch>;
  /** @returns the current state of the job */
  status(id: string, options?: CallOptions): Promise<Job>;
  /** @returns the job now, and at each change of its status or progress, until it ends */
  events(id: string, options?: Following & RequestSettings): AsyncGenerator<Job, void, undefined>;
  /** Waits until a job ends. */
  wait(id: string, waiting?: Waiting & RequestSettings): Promise<File>;
  /** Cancels a job that has not ended. A job that has ended keeps its result. */
  cancel(id: string, options?: CallOptions): Promise<void>;
  /** Deletes a job with its result. A job that no longer exists is not an error. */
  deleteJob(id: string, options?: CallOptions): Promise<void>;
  /** Deletes an upload with its file, before it expires. Jobs that were created from it are not affected. */
  deleteUpload(id: string, options?: CallOptions): Promise<void>;
  /** @returns a page of jobs, newest first */
  jobs(filter?: JobFilter, options?: CallOptions): Promise<JobList>;
  /** @returns all jobs, newest first. Pages are requested as they are read */
  allJobs(filter?: JobFilter, options?: CallOptions): AsyncGenerator<Job, void, undefined>;
  account(options?: CallOptions): Promise<Account>;
  usage(filter?: MonthFilter, options?: CallOptions): Promise<Usage>;
  /** @returns the jobs of a month by day, API key, formats and outcome, with their bytes */
  usageDetails(filter?: MonthFilter, options?: CallOptions): Promise<UsageDetails>;
  /** Lists the supported formats with their targets. Does not require a key. */
  formats(filter?: FormatFilter, options?: CallOptions): Promise<FormatList>;
  /**
   * @returns the steps, losses, options and limits of a conversion, or of the merge with files of further formats. Does not
   * require a key
   */
  conversion(source: FormatName, target: FormatName, options?: ConversionDetailsOptions): Promise<Conversion>;
  readonly pipelines: Pipelines<Input, File>;
  readonly presets: Presets;
  readonly requests: Requests;
  readonly storages: Storages;
  readonly webhooks: Webhooks;
}

export interface MonthFilter {
  /** For example `2026-11`. @default the current month, in UTC */
  readonly month?: string | undefined;
}

/** Platform-specific parts: kinds of inputs and results, and a fast hash. */
export interface Platform<Input, File> {
  open(input: Input): Promise<OpenedInput>;
  result(file: ConvertedFile): File;
  hasher(): Hasher;
}

export const clientOn = <Input, File>(
  platform: Platform<Input, File>,
  settings: ClientSettings,
): Client<Input, File> => {
  const service = serviceFor(settings, {});
  const conversions = conversionsOn(platform, settings);
  return {
    ...conversions,
    ...plainCallsOn(settings),
    pipelines: pipelinesOf(service, { upload: conversions.upload, resultOf: (id) => conversions.wait(id) }),
    presets: presetsOf(service),
    requests: requestsOf(service),
    storages: storagesOf(service),
    webhooks: webhooksOf(service),
  };
};

const CONCURRENCY_DEFAULT = 4;
/** The request limit of a function on AWS. */
const SINGLE_CALL_BYTES_MAX = 4_500_000;

type Conversions<Input, File> = Pick<Client<Input, File>, "convert" | "convertMany" | "merge" | "upload" | "wait">;

const conversionsOn = <Input, File>(
  platform: Platform<Input, File>,
  settings: ClientSettings,
): Conversions<Input, File> => {
  const keep = keeper();
  const fileOf = (service: Service, converted: Converted, waiting: Waiting): File =>
    platform.result(resultFile({ service, hasher: platform.hasher, ...waiting }, converted));
  const send = (opened: OpenedInput, options: UploadOptions): Promise<Upload> =>
    upload({ service: serviceFor(settings, options), hasher: platform.hasher, ...options }, opened);
  /** An input that is already uploaded does not need another request. */
  const idOf = async (opened: OpenedInput, options: ConvertOptions): Promise<string> =>
    opened.kind === "uploaded" ? opened.uploadId : (await send(opened, options)).upload_id;
  const opened = async <Result>(input: Input, use: (opened: OpenedInput) => Promise<Result>): Promise<Result> => {
    const source = await platform.open(input);
    try {
      return await use(source);
    } finally {
      await (source.kind === "bytes" ? source.release?.() : undefined);
    }
  };
  const bytesMax = settings.singleCallBytesMax ?? SINGLE_CALL_BYTES_MAX;
  const convert = async (input: Input, target: string | undefined, options: ConvertOptions = {}): Promise<File> => {
    const service = serviceFor(settings, options);
    const request = settingsOf(target, options);
    const sent = await opened(input, async (file): Promise<Converted | string> => {
      options.signal?.throwIfAborted();
      if (file.kind === "page") {
        return run(service, { url: file.url, ...request }, options);
      }
      const isSingle = file.kind === "bytes" && file.blob.size <= bytesMax && options.resume === undefined;
      const call = { service, keep, settings: request, ...options };
      return (isSingle ? await convertInOneCall(call, file) : undefined) ?? (await idOf(file, options));
    });
    const converted = typeof sent === "string" ? await run(service, { upload_id: sent, ...request }, options) : sent;
    return fileOf(service, converted, options);
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
      const service = serviceFor(settings, options);
      const sent = await atOnce(inputs, { limit: CONCURRENCY_DEFAULT, signal: options.signal }, (input, signal) =>
        opened(input, (file) => idOf(file, { ...options, signal })),
      );
      return fileOf(
        service,
        await run(service, { upload_ids: sent, ...settingsOf(target, options) }, options),
        options,
      );
    },
    upload: (input, options = {}) => opened(input, (file) => send(file, options)),
    wait: async (id, options = {}) => {
      const service = serviceFor(settings, options);
      const job = await endOf(service, await jobOf(service, id, options), options);
      return fileOf(service, { job }, options);
    },
  };
};

const run = async (service: Service, request: ConversionRequest, waiting: Waiting): Promise<Converted> => ({
  job: await runJob(service, request, waiting),
});

type PlainCalls = Omit<
  Client<unknown, unknown>,
  keyof Conversions<unknown, unknown> | "pipelines" | "presets" | "requests" | "storages" | "webhooks"
>;

const plainCallsOn = (settings: ClientSettings): PlainCalls => {
  const get = <Body>(to: string, options: CallOptions = {}): Promise<Body> =>
    serviceFor(settings, options).json({ to, signal: options.signal });
  const jobs: PlainCalls["jobs"] = (filter = {}, options) => get(`convert${queryOf(filter)}`, options);
  return {
    status: (id, options) => jobOf(serviceFor(settings, options ?? {}), id, options),
    events: (id, options = {}) => jobEvents(serviceFor(settings, options), id, options),
    cancel: (id, options = {}) => cancel(serviceFor(settings, options), id, options.signal),
    deleteJob: (id, options = {}) => deleteJob(serviceFor(settings, options), id, options.signal),
    deleteUpload: (id, options = {}) => deleteUpload(serviceFor(settings, options), id, options.signal),
    batch: (conversions, options = {}) =>
      serviceFor(settings, options).json({
        method: "POST",
        to: "convert/batch",
        headers: { "content-type": "application/json", "idempotency-key": idempotencyKey() },
        body: () => JSON.stringify({ conversions: conversions.map(bodyOf) }),
        signal: options.signal,
      }),
    jobs,
    allJobs: (filter = {}, options = {}) =>
      itemsOf(
        (after) => jobs({ ...filter, after }, options),
        (page) => page.jobs,
        filter.after,
      ),
    account: (options) => get("account", options),
    usage: (filter = {}, options) => get(`account/use${queryOf(filter)}`, options),
    usageDetails: (filter = {}, options) => get(`account/use/details${queryOf(filter)}`, options),
    formats: (filter = {}, options) => get(`formats${queryOf(filter)}`, options),
    conversion: (source, target, { mergeWith = [], ...options } = {}) => {
      const filter = queryOf({ merge_with: mergeWith.length === 0 ? undefined : mergeWith.join() });
      return get(`formats/${encodeURIComponent(source)}/${encodeURIComponent(target)}${filter}`, options);
    },
  };
};

const jobOf = (service: Service, id: string, { signal }: CallOptions = {}): Promise<Job> =>
  service.json({ to: `convert/${encodeURIComponent(id)}/status`, signal });

const bodyOf = ({ uploadId, uploadIds, target, ...options }: BatchConversion): object => ({
  ...(uploadId === undefined ? { upload_ids: uploadIds } : { upload_id: uploadId }),
  ...settingsOf(target, options),
});

/** @returns the settings of a conversion, as the API names them */
const settingsOf = (
  target: string | undefined,
  { options, otherOptions, filename, webhookUrl, webhookBody, exportTo, metadata, preset, steps }: ConversionOptionsOf,
): ConversionSettings => ({
  ...(target !== undefined && { target_format: target }),
  ...((options ?? otherOptions) && { options: { ...options, ...otherOptions } }),
  ...(filename !== undefined && { filename }),
  ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  ...(webhookBody !== undefined && { webhook_body: webhookBody }),
  ...(exportTo && { export: { ...exportTo } }),
  ...(metadata && { metadata: { ...metadata } }),
  ...(preset !== undefined && { preset }),
  ...(steps && { steps }),
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
