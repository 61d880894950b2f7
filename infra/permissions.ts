import type { OperationId } from "../functions/api/routes.ts";
import type { Prefix } from "./files.ts";
import type { TableName } from "./tables.ts";

/**
 * What each function may do, and nothing else: THE table of permissions. A row gives the function the actions and, with
 * them, the environment variables that name what it may reach. A transaction needs the actions of its parts.
 */

type TableAction = "GetItem" | "PutItem" | "UpdateItem";
type FileAction = "DeleteObject" | "GetObject" | "PutObject";

export interface Permissions {
  readonly tables: Readonly<Partial<Record<TableName, readonly TableAction[]>>>;
  /** Index of the jobs table that may be queried. */
  readonly index?: "overdue";
  /** On the objects below each prefix. A signed URL can do what the function that signed it may. */
  readonly files?: Readonly<Partial<Record<Prefix, readonly FileAction[]>>>;
  /** Whether it may send to the lanes' queues. */
  readonly sends?: true;
}

export type EventName = "convertFile" | "sweepJobs" | "failJob";

const nothing: Permissions = { tables: {} };

export const permissions: Readonly<Record<OperationId | "fallback" | EventName, Permissions>> = {
  createUpload: {
    tables: { keys: ["GetItem"], jobs: ["PutItem"], quotas: ["GetItem", "UpdateItem"] },
    files: { uploads: ["DeleteObject", "PutObject"] },
  },
  createJob: {
    tables: { keys: ["GetItem"], jobs: ["GetItem", "PutItem"], quotas: ["GetItem", "UpdateItem"] },
    sends: true,
  },
  getJob: {
    tables: { keys: ["GetItem"], jobs: ["GetItem"] },
  },
  downloadResult: {
    tables: { keys: ["GetItem"], jobs: ["GetItem"], quotas: ["GetItem", "UpdateItem"] },
    files: { results: ["GetObject"] },
  },
  listFormats: nothing,
  getOpenapi: nothing,
  getHealth: nothing,
  fallback: nothing,
  convertFile: {
    tables: { jobs: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    files: { uploads: ["GetObject"], results: ["DeleteObject", "PutObject"] },
  },
  sweepJobs: {
    tables: { jobs: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] },
    index: "overdue",
    sends: true,
  },
  failJob: {
    tables: { jobs: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] },
  },
};
