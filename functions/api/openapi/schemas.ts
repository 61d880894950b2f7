import * as z from "zod/mini";
import * as accounts from "../../domain/accounts/account-views.ts";
import * as keys from "../../domain/accounts/key-views.ts";
import * as members from "../../domain/accounts/member-views.ts";
import { problemSchema } from "../../domain/errors/problem-view.ts";
import * as exports from "../../domain/exports/export-views.ts";
import * as formats from "../../domain/formats/format-views.ts";
import * as jobs from "../../domain/jobs/job-views.ts";
import * as pipelines from "../../domain/pipelines/pipeline-views.ts";
import * as requests from "../../domain/requests/request-views.ts";
import * as sessions from "../../domain/sessions/session-views.ts";
import * as uploads from "../../domain/uploads/upload-views.ts";
import * as webhooks from "../../domain/webhooks/webhook-views.ts";
import type { AnyOperation } from "../operation.ts";

/** Response schemas by their name in the document. Operations add those of their requests. */
const answers: Readonly<Record<string, z.ZodMiniType>> = {
  Upload: uploads.uploadSchema,
  Transfer: uploads.transferSchema,
  TransferPart: uploads.partSchema,
  UploadError: uploads.uploadErrorSchema,
  Job: jobs.jobSchema,
  JobResult: jobs.resultSchema,
  JobError: jobs.jobErrorSchema,
  JobExport: exports.jobExportSchema,
  JobList: jobs.jobListSchema,
  Batch: jobs.batchSchema,
  Pipeline: pipelines.pipelineSchema,
  PipelineList: pipelines.pipelineListSchema,
  Preset: pipelines.presetSchema,
  PresetList: pipelines.presetListSchema,
  Download: jobs.downloadSchema,
  Account: accounts.accountSchema,
  Use: accounts.useSchema,
  UseDay: accounts.daySchema,
  UseDetail: accounts.useDetailSchema,
  UseDetails: accounts.useDetailsSchema,
  PlanChoice: accounts.planChoiceSchema,
  BillingPage: accounts.billingPageSchema,
  Key: keys.keySchema,
  NewKey: keys.newKeySchema,
  KeyList: keys.keyListSchema,
  Webhook: webhooks.webhookSchema,
  WebhookList: webhooks.webhookListSchema,
  WebhookSecrets: webhooks.webhookSecretSchema,
  WebhookEndpoint: webhooks.endpointSchema,
  WebhookEndpointList: webhooks.endpointListSchema,
  WebhookTest: webhooks.webhookTestSchema,
  WebhookEvent: webhooks.webhookEventSchema,
  QuotaEvent: webhooks.quotaEventSchema,
  WebhookTestEvent: webhooks.webhookTestEventSchema,
  Storage: exports.storageSchema,
  StorageList: exports.storageListSchema,
  StorageTest: exports.storageTestSchema,
  PipelineEvent: webhooks.pipelineEventSchema,
  LoggedRequest: requests.loggedRequestSchema,
  RequestList: requests.requestListSchema,
  RequestDetail: requests.requestDetailSchema,
  Format: formats.formatSchema,
  Conversion: formats.conversionSchema,
  FormatList: formats.formatListSchema,
  Problem: problemSchema,
  SignInCode: sessions.challengeSchema,
  Session: sessions.sessionSchema,
  Owner: sessions.ownerSchema,
  MemberList: members.memberListSchema,
  AccountList: members.accountListSchema,
  DeviceList: sessions.deviceListSchema,
  PasskeyRequestOptions: sessions.passkeyRequestSchema,
  PasskeyCreationOptions: sessions.passkeyCreationSchema,
  Passkey: sessions.passkeySchema,
  PasskeyList: sessions.passkeyListSchema,
};

/** @returns a reference to the schema */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** @returns all schemas, as components of the document; nested schemas are references */
export const schemaComponents = (routes: readonly AnyOperation[]): Record<string, object> => {
  const registry = z.registry<{ id: string }>();
  const named = Object.assign({}, answers, ...routes.map(({ schemas }) => schemas?.()));
  for (const [id, schema] of Object.entries<z.ZodMiniType>(named)) {
    registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => shorten(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
};

/** Removes noise: the bounds of safe integers, and the long pattern that `date-time` already implies. */
const shorten = (schema: z.core.JSONSchema.BaseSchema): void => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) {
    delete schema.minimum;
  }
  if (schema.maximum === Number.MAX_SAFE_INTEGER) {
    delete schema.maximum;
  }
  if (schema.format === "date-time") {
    delete schema.pattern;
  }
};
