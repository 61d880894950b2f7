import { type Permissions, slotsOnly } from "../functions/api/permissions.ts";

/** Permissions of event functions. Those of operations are in the operations' files. */

export type EventName =
  | "announceEnd"
  | "checkService"
  | "convertFile"
  | "convertPage"
  | "deliverExport"
  | "deliverWebhook"
  | "deploySite"
  | "eraseFiles"
  | "failJob"
  | "failUpload"
  | "importUpload"
  | "openPage"
  | "sweepJobs";

export const permissions: Readonly<Record<EventName, Permissions>> = {
  convertFile: {
    tables: { jobs: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    files: { uploads: ["GetObject"], results: ["DeleteObject", "PutObject"] },
    plans: true,
  },
  convertPage: {
    tables: { jobs: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    files: { uploads: ["GetObject"], results: ["DeleteObject", "GetObject", "PutObject"] },
    opensPages: true,
    plans: true,
  },
  // Runs the scripts of others, so it gets signed URLs instead of permissions.
  openPage: { tables: {}, outbound: true },
  importUpload: {
    tables: { keys: ["GetItem"], jobs: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: "storage#*" }, jobs: { records: "upl_*" }, quotas: slotsOnly },
    seals: true,
    asks: ["imports", "checks"],
    files: { uploads: ["AbortMultipartUpload", "DeleteObject", "GetObject", "ListMultipartUploadParts", "PutObject"] },
    outbound: true,
  },
  announceEnd: {
    tables: { jobs: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: { jobs: { records: ["exp_*", "job_*", "msg_*", "pip_*"] } },
    stream: true,
    sends: true,
    asks: ["webhooks", "exports", "erasures"],
  },
  deliverWebhook: {
    tables: { keys: ["GetItem"], jobs: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: "acc_*" }, jobs: { records: ["mai_*", "msg_*"] }, quotas: slotsOnly },
    files: { results: ["GetObject"] },
    asks: ["webhooks"],
    mails: true,
    outbound: true,
  },
  deliverExport: {
    tables: { keys: ["GetItem"], jobs: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: "storage#*" }, jobs: { records: ["exp_*", "job_*"] }, quotas: slotsOnly },
    files: { results: ["GetObject"] },
    asks: ["exports"],
    seals: true,
    outbound: true,
  },
  checkService: { tables: {} },
  deploySite: { tables: {}, deploysPages: true },
  eraseFiles: { tables: { jobs: ["GetItem"] }, files: { results: ["DeleteObject"] } },
  sweepJobs: {
    tables: { jobs: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    index: "overdue",
    sends: true,
    asks: ["webhooks", "exports", "erasures"],
  },
  failJob: {
    tables: { jobs: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] },
    sends: true,
  },
  failUpload: {
    tables: { jobs: ["GetItem", "UpdateItem"] },
    only: { jobs: { records: "upl_*" } },
    files: { uploads: ["DeleteObject"] },
  },
};
