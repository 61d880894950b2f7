/** The public types of the package. */
export type {
  Account,
  Batch,
  Conversion,
  ConversionStep,
  FormatList,
  Job,
  JobList,
  JobStatus,
  LoggedRequest,
  LoggedRequestList,
  NewWebhookEndpoint,
  Pipeline,
  PipelineDefinition,
  PipelineEvent,
  PipelineList,
  Preset,
  PresetList,
  PresetSettings,
  Problem,
  QuotaEvent,
  RequestDetail,
  Storage,
  StorageList,
  StorageSettings,
  StorageTest,
  Upload,
  Usage,
  UsageDetails,
  Webhook,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEvent,
  WebhookList,
  WebhookSecrets,
  WebhookTest,
} from "./api.ts";
export type { PipelineResult, Pipelines, PipelineWaiting, Presets } from "./calls/pipelines.ts";
export type { RequestFilter, Requests } from "./calls/requests.ts";
export type { Storages } from "./calls/storages.ts";
export type { WebhookEndpoints } from "./calls/webhook-endpoints.ts";
export type { HeaderValues, VerifyOptions, Webhooks } from "./calls/webhooks.ts";
export type { Client, MonthFilter } from "./client.ts";
export type { ClientErrorCode } from "./http/errors.ts";
export type { ClientSettings, RequestReport, RequestSettings } from "./http/request.ts";
export type { ConversionOptions, FormatId } from "./option-types.ts";
export type {
  BatchConversion,
  CallOptions,
  ConversionDetailsOptions,
  ConvertOptions,
  FormatFilter,
  FormatName,
  JobFilter,
  ManyOptions,
  Outcome,
  UploadOptions,
} from "./options.ts";
export type { ConvertedFile } from "./transfer/file.ts";
export type {
  Content,
  NamedContent,
  RemoteFile,
  StoredFile,
  UploadedFile,
  WebInput,
  WebPage,
} from "./transfer/input.ts";
export type { OnProgress, Progress } from "./transfer/progress.ts";
