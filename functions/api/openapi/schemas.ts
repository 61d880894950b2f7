import * as z from "zod/mini";
import * as keyViews from "../../domain/key-views.ts";
import * as sessions from "../../domain/session-views.ts";
import * as views from "../../domain/views.ts";
import { choosePlanRequest, updateAccountRequest } from "../account-request.ts";
import { batchRequest, conversionRequest } from "../conversion-request.ts";
import { createKeyRequest, rotateKeyRequest } from "../key-request.ts";
import * as signIn from "../sign-in-request.ts";
import { directUploadRequest, urlUploadRequest } from "../upload-request.ts";

/** The schemas that the document calls by name; wherever one stands in another, it is referred to. */
const named = {
  Upload: views.uploadSchema,
  Transfer: views.transferSchema,
  TransferPart: views.partSchema,
  UploadError: views.uploadErrorSchema,
  DirectUploadRequest: directUploadRequest,
  UrlUploadRequest: urlUploadRequest,
  ConversionRequest: conversionRequest,
  Job: views.jobSchema,
  JobResult: views.resultSchema,
  JobError: views.jobErrorSchema,
  JobList: views.jobListSchema,
  BatchRequest: batchRequest,
  Batch: views.batchSchema,
  Account: views.accountSchema,
  AccountChanges: updateAccountRequest,
  Use: keyViews.useSchema,
  UseDay: keyViews.daySchema,
  PlanChoiceRequest: choosePlanRequest,
  PlanChoice: keyViews.planChoiceSchema,
  BillingPage: keyViews.billingPageSchema,
  BillingEvent: keyViews.billingEventSchema,
  Key: keyViews.keySchema,
  NewKey: keyViews.newKeySchema,
  KeyList: keyViews.keyListSchema,
  KeyRequest: createKeyRequest,
  KeyRotation: rotateKeyRequest,
  Webhook: views.webhookSchema,
  WebhookList: views.webhookListSchema,
  WebhookSecrets: views.webhookSecretSchema,
  WebhookEvent: views.webhookEventSchema,
  Download: views.downloadSchema,
  Format: views.formatSchema,
  Conversion: views.conversionSchema,
  FormatList: views.formatListSchema,
  Health: views.healthSchema,
  Problem: views.problemSchema,
  CodeRequest: signIn.codeRequest,
  SignInCode: sessions.challengeSchema,
  CodeSessionRequest: signIn.codeSessionRequest,
  Session: sessions.sessionSchema,
  Owner: sessions.ownerSchema,
  DeviceList: sessions.deviceListSchema,
  PasskeyRequestOptions: sessions.passkeyRequestSchema,
  PasskeySessionRequest: signIn.passkeySessionRequest,
  PasskeyAssertion: signIn.assertionSchema,
  PasskeyCreationOptions: sessions.passkeyCreationSchema,
  NewPasskeyRequest: signIn.passkeyRequest,
  PasskeyAttestation: signIn.attestationSchema,
  Passkey: sessions.passkeySchema,
  PasskeyList: sessions.passkeyListSchema,
} as const;

export type SchemaName = keyof typeof named;

/** @returns a reference to the schema */
export const reference = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

/** @returns all schemas, as components of the document */
export const schemaComponents = (): Record<string, object> => {
  const registry = z.registry<{ id: string }>();
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

/** Takes out what says nothing: the bounds of safe integers, and in one long expression what `date-time` says. */
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
