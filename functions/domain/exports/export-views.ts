import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { count, orNull, text, time } from "../fields.ts";
import type { Job } from "../jobs/job.ts";
import { timestamp } from "../times.ts";
import type { Storage } from "./storage.ts";

/** Exports and storages as the API returns them: see uploads/upload-views.ts. */

export const jobExportSchema = described(
  z.strictObject({
    status: described(
      z.enum(["pending", "delivered", "failed"]),
      "`pending` until the result is delivered. `failed` after the last attempt; the result can still be downloaded until it expires.",
    ),
    location: text("Where the result goes, without credentials."),
    attempts: count("Attempts so far."),
    error: orNull(text("Why the last attempt failed.")),
  }),
  "The export of a result.",
);

/** @returns the export as the API returns it. The result of a job that failed is not exported */
export const jobExportView = ({ export: given, status: job }: Pick<Job, "export" | "status">) => {
  if (given === undefined) {
    return null;
  }
  const { status, location, attempts, error } = given;
  return job === "failed" || job === "cancelled"
    ? { status: "failed" as const, location, attempts, error: "The job has no result." }
    : { status, location, attempts, error: error ?? null };
};

export const storageSchema = described(
  z.strictObject({
    name: text("The name, unique in the account."),
    type: described(z.enum(["s3", "webdav"]), "The protocol."),
    endpoint: text("The URL of the service, or of the WebDAV folder."),
    region: orNull(text("The region. Null for WebDAV.")),
    bucket: orNull(text("The bucket. Null for WebDAV.")),
    virtual_host: described(z.boolean(), "Whether the bucket is part of the host name."),
    created_at: time("When the storage was created."),
    updated_at: time("When the storage was last changed."),
  }),
  "A storage. Credentials are never returned.",
);

export const storageListSchema = described(
  z.strictObject({ storages: described(z.array(storageSchema), "Storages by name.") }),
  "The storages of the account.",
);

export const storageTestSchema = described(
  z.strictObject({
    succeeded: described(z.boolean(), "Whether a small file could be written and deleted."),
    error: orNull(text("What failed.")),
  }),
  "The result of a test.",
);

export type StorageView = z.infer<typeof storageSchema>;
export type StorageTestView = z.infer<typeof storageTestSchema>;

/** @returns the storage as the API returns it */
export const storageView = ({ name, place, createdAt, updatedAt }: Storage): StorageView => ({
  name,
  type: place.type,
  endpoint: place.endpoint,
  region: place.type === "s3" ? place.region : null,
  bucket: place.type === "s3" ? place.bucket : null,
  virtual_host: place.type === "s3" && place.virtualHost === true,
  created_at: timestamp(createdAt),
  updated_at: timestamp(updatedAt),
});
