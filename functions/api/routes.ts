import { changeEmail } from "./account/change-email.ts";
import { deleteAccount } from "./account/delete-account.ts";
import { getAccount } from "./account/get-account.ts";
import { getUsage } from "./account/get-usage.ts";
import { getUsageDetails } from "./account/get-usage-details.ts";
import { updateAccount } from "./account/update-account.ts";
import { choosePlan } from "./billing/choose-plan.ts";
import { openBilling } from "./billing/open-billing.ts";
import { receiveBillingEvent } from "./billing/receive-billing-event.ts";
import { fallback } from "./fallback.ts";
import { getConversion } from "./formats/get-conversion.ts";
import { listFormats } from "./formats/list-formats.ts";
import { getHealth } from "./get-health.ts";
import { getStatus } from "./get-status.ts";
import { cancelJob } from "./jobs/cancel-job.ts";
import { createBatch } from "./jobs/create-batch.ts";
import { createJob } from "./jobs/create-job.ts";
import { deleteJob } from "./jobs/delete-job.ts";
import { downloadResult } from "./jobs/download-result.ts";
import { getJob } from "./jobs/get-job.ts";
import { jobEvents } from "./jobs/job-events.ts";
import { listJobs } from "./jobs/list-jobs.ts";
import { createKey } from "./keys/create-key.ts";
import { deleteKey } from "./keys/delete-key.ts";
import { listKeys } from "./keys/list-keys.ts";
import { rotateKey } from "./keys/rotate-key.ts";
import { updateKey } from "./keys/update-key.ts";
import { acceptInvitation } from "./members/accept-invitation.ts";
import { changeMember } from "./members/change-member.ts";
import { inviteMember } from "./members/invite-member.ts";
import { listMembers } from "./members/list-members.ts";
import { listOwnAccounts } from "./members/list-own-accounts.ts";
import { removeMember } from "./members/remove-member.ts";
import { switchAccount } from "./members/switch-account.ts";
import { openapi } from "./openapi/document.ts";
import { getOpenapi } from "./openapi/get-openapi.ts";
import type { AnyOperation } from "./operation.ts";
import { getOperatorOverview } from "./operators/get-operator-overview.ts";
import { listOperatedAccounts } from "./operators/list-operated-accounts.ts";
import { setOperatedPlan } from "./operators/set-operated-plan.ts";
import { createPasskey } from "./passkeys/create-passkey.ts";
import { createPasskeySession } from "./passkeys/create-passkey-session.ts";
import { deletePasskey } from "./passkeys/delete-passkey.ts";
import { listPasskeys } from "./passkeys/list-passkeys.ts";
import { startPasskey } from "./passkeys/start-passkey.ts";
import { startPasskeySignIn } from "./passkeys/start-passkey-sign-in.ts";
import { cancelPipeline } from "./pipelines/cancel-pipeline.ts";
import { createPipeline } from "./pipelines/create-pipeline.ts";
import { deletePipeline } from "./pipelines/delete-pipeline.ts";
import { getPipeline } from "./pipelines/get-pipeline.ts";
import { listPipelines } from "./pipelines/list-pipelines.ts";
import { pipelineEvents } from "./pipelines/pipeline-events.ts";
import { deletePreset } from "./presets/delete-preset.ts";
import { getPreset } from "./presets/get-preset.ts";
import { listPresets } from "./presets/list-presets.ts";
import { savePreset } from "./presets/save-preset.ts";
import { getRequest } from "./requests/get-request.ts";
import { listRequests } from "./requests/list-requests.ts";
import { createOidcSession } from "./sign-in/create-oidc-session.ts";
import { createSession } from "./sign-in/create-session.ts";
import { createSignInCode } from "./sign-in/create-sign-in-code.ts";
import { createVisitorSession } from "./sign-in/create-visitor-session.ts";
import { deleteSession } from "./sign-in/delete-session.ts";
import { endSession } from "./sign-in/end-session.ts";
import { getSession } from "./sign-in/get-session.ts";
import { listSessions } from "./sign-in/list-sessions.ts";
import { startOidcSignIn } from "./sign-in/start-oidc-sign-in.ts";
import { deleteStorage } from "./storages/delete-storage.ts";
import { listStorages } from "./storages/list-storages.ts";
import { saveStorage } from "./storages/save-storage.ts";
import { testStorage } from "./storages/test-storage.ts";
import { completeUpload } from "./uploads/complete-upload.ts";
import { createUpload } from "./uploads/create-upload.ts";
import { deleteUpload } from "./uploads/delete-upload.ts";
import { getUpload } from "./uploads/get-upload.ts";
import { createWebhookEndpoint } from "./webhooks/create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./webhooks/delete-webhook-endpoint.ts";
import { getWebhookSecret } from "./webhooks/get-webhook-secret.ts";
import { listWebhookEndpoints } from "./webhooks/list-webhook-endpoints.ts";
import { listWebhooks } from "./webhooks/list-webhooks.ts";
import { redeliverWebhook } from "./webhooks/redeliver-webhook.ts";
import { rotateEndpointSecret } from "./webhooks/rotate-endpoint-secret.ts";
import { rotateWebhookSecret } from "./webhooks/rotate-webhook-secret.ts";
import { testWebhookEndpoint } from "./webhooks/test-webhook-endpoint.ts";
import { updateWebhookEndpoint } from "./webhooks/update-webhook-endpoint.ts";

/**
 * The OpenAPI document. @param baseUrl the base URL by which the client reached the service, without a trailing slash
 */
export const documentAt = (baseUrl: string): object => openapi(routes, baseUrl);

/** THE route table: every operation, in the order of the OpenAPI document. Each file defines the rest. */
export const routes = [
  createUpload, // POST /api/v1/upload
  getUpload, // GET /api/v1/upload/{id}
  completeUpload, // POST /api/v1/upload/{id}/complete
  deleteUpload, // DELETE /api/v1/upload/{id}
  createJob, // POST, PUT /api/v1/convert
  getJob, // GET /api/v1/convert/{id}/status
  jobEvents, // GET /api/v1/convert/{id}/events
  listJobs, // GET /api/v1/convert
  createBatch, // POST /api/v1/convert/batch
  cancelJob, // POST /api/v1/convert/{id}/cancel
  deleteJob, // DELETE /api/v1/convert/{id}
  createPipeline, // POST /api/v1/pipelines
  getPipeline, // GET /api/v1/pipelines/{id}
  pipelineEvents, // GET /api/v1/pipelines/{id}/events
  listPipelines, // GET /api/v1/pipelines
  cancelPipeline, // POST /api/v1/pipelines/{id}/cancel
  deletePipeline, // DELETE /api/v1/pipelines/{id}
  savePreset, // PUT /api/v1/presets/{name}
  getPreset, // GET /api/v1/presets/{name}
  listPresets, // GET /api/v1/presets
  deletePreset, // DELETE /api/v1/presets/{name}
  downloadResult, // GET, HEAD /api/v1/download/{token}
  getAccount, // GET /api/v1/account
  getUsage, // GET /api/v1/account/use
  getUsageDetails, // GET /api/v1/account/use/details
  listRequests, // GET /api/v1/requests
  getRequest, // GET /api/v1/requests/{id}
  listWebhooks, // GET /api/v1/webhooks
  redeliverWebhook, // POST /api/v1/webhooks/{id}/redeliver
  getWebhookSecret, // GET /api/v1/webhooks/secret
  rotateWebhookSecret, // POST /api/v1/webhooks/secret
  listWebhookEndpoints, // GET /api/v1/webhook-endpoints
  createWebhookEndpoint, // POST /api/v1/webhook-endpoints
  updateWebhookEndpoint, // POST /api/v1/webhook-endpoints/{id}
  deleteWebhookEndpoint, // DELETE /api/v1/webhook-endpoints/{id}
  rotateEndpointSecret, // POST /api/v1/webhook-endpoints/{id}/secret
  testWebhookEndpoint, // POST /api/v1/webhook-endpoints/{id}/test
  listStorages, // GET /api/v1/storages
  saveStorage, // PUT /api/v1/storages/{name}
  deleteStorage, // DELETE /api/v1/storages/{name}
  testStorage, // POST /api/v1/storages/{name}/test
  listFormats, // GET /api/v1/formats
  getConversion, // GET /api/v1/formats/{source}/{target}
  getOpenapi(documentAt), // GET /api/v1/openapi.json
  getStatus, // GET /api/v1/status
  getHealth, // GET /health
  createSignInCode, // POST /api/v1/session/code
  createSession, // POST /api/v1/session
  getSession, // GET /api/v1/session
  deleteSession, // DELETE /api/v1/session
  createVisitorSession, // POST /api/v1/session/visitor
  listSessions, // GET /api/v1/session/devices
  endSession, // DELETE /api/v1/session/devices/{id}
  startOidcSignIn, // POST /api/v1/session/oidc/options
  createOidcSession, // POST /api/v1/session/oidc
  startPasskeySignIn, // POST /api/v1/session/passkey/options
  createPasskeySession, // POST /api/v1/session/passkey
  startPasskey, // POST /api/v1/session/passkeys/options
  createPasskey, // POST /api/v1/session/passkeys
  listPasskeys, // GET /api/v1/session/passkeys
  deletePasskey, // DELETE /api/v1/session/passkeys/{id}
  choosePlan, // POST /api/v1/session/plan
  openBilling, // POST /api/v1/session/billing
  receiveBillingEvent, // POST /api/v1/session/billing/events
  updateAccount, // POST /api/v1/session/account
  changeEmail, // POST /api/v1/session/email
  deleteAccount, // DELETE /api/v1/session/account
  getOperatorOverview, // GET /api/v1/session/operator
  listOperatedAccounts, // GET /api/v1/session/operator/accounts
  setOperatedPlan, // POST /api/v1/session/operator/accounts/{id}/plan
  listMembers, // GET /api/v1/session/members
  inviteMember, // POST /api/v1/session/members
  changeMember, // POST /api/v1/session/members/{id}
  removeMember, // DELETE /api/v1/session/members/{id}
  acceptInvitation, // POST /api/v1/session/invitation
  listOwnAccounts, // GET /api/v1/session/accounts
  switchAccount, // POST /api/v1/session/accounts/{id}
  listKeys, // GET /api/v1/keys
  createKey, // POST /api/v1/keys
  updateKey, // POST /api/v1/keys/{id}
  deleteKey, // DELETE /api/v1/keys/{id}
  rotateKey, // POST /api/v1/keys/{id}/rotate
] as const satisfies readonly AnyOperation[];

/** Serves requests that match no route. */
export const fallbackRoute = fallback(() => routes);

export type OperationId = (typeof routes)[number]["id"];

/** @returns the operation with the id */
export const routeOf = (id: OperationId): AnyOperation => {
  const found = routes.find((row) => row.id === id);
  if (found === undefined) {
    throw new TypeError(`No route serves ${id}.`);
  }
  return found;
};
