import type { components } from "./api-types.ts";

/** Response types, named as in the OpenAPI document. */
type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Batch = Schemas["Batch"];
export type Conversion = Schemas["Conversion"];
export type Download = Schemas["Download"];
export type FormatList = Schemas["FormatList"];
export type Job = Schemas["Job"];
export type JobList = Schemas["JobList"];
export type JobStatus = Job["status"];
export type LoggedRequest = Schemas["LoggedRequest"];
export type LoggedRequestList = Schemas["RequestList"];
export type Pipeline = Schemas["Pipeline"];
export type PipelineEvent = Schemas["PipelineEvent"];
export type PipelineList = Schemas["PipelineList"];
export type Preset = Schemas["Preset"];
export type PresetList = Schemas["PresetList"];
export type PresetSettings = Schemas["PresetRequest"];
export type Problem = Schemas["Problem"];
export type RequestDetail = Schemas["RequestDetail"];
export type Storage = Schemas["Storage"];
export type StorageList = Schemas["StorageList"];
/** The body of `saveStorage`: the place of a storage, with its credentials. */
export type StorageSettings = Schemas["StorageRequest"];
export type StorageTest = Schemas["StorageTest"];
export type Upload = Schemas["Upload"];
export type Usage = Schemas["Use"];
export type UsageDetails = Schemas["UseDetails"];
export type Webhook = Schemas["Webhook"];
export type WebhookEndpoint = Schemas["WebhookEndpoint"];
export type WebhookEndpointChanges = Schemas["WebhookEndpointChanges"];
export type WebhookEndpointList = Schemas["WebhookEndpointList"];
export type WebhookEvent = Schemas["WebhookEvent"];
export type WebhookList = Schemas["WebhookList"];
export type NewWebhookEndpoint = Schemas["NewWebhookEndpoint"];
export type QuotaEvent = Schemas["QuotaEvent"];
export type WebhookTest = Schemas["WebhookTest"];
export type WebhookSecrets = Schemas["WebhookSecrets"];

/** Where a result is exported to: a URL, or a storage. */
export type ExportTarget = NonNullable<Schemas["ConversionRequest"]["export"]>;
/** The body of `createPipeline` without its inputs. */
export type PipelineDefinition = Omit<Schemas["PipelineRequest"], "inputs">;

/** A step after a conversion. */
export type ConversionStep = NonNullable<Schemas["ConversionRequest"]["steps"]>[number];

/** The settings of a conversion, as the API names them. */
export interface ConversionSettings {
  readonly target_format?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly filename?: string;
  readonly webhook_url?: string;
  readonly webhook_body?: "job" | "file";
  readonly export?: ExportTarget;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly preset?: string;
  readonly steps?: readonly ConversionStep[];
}

/** The body of `createJob`. */
export type ConversionRequest = ConversionSettings &
  ({ readonly upload_id: string } | { readonly upload_ids: readonly string[] } | { readonly url: string });
