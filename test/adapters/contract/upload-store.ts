import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { monthOf } from "../../../functions/domain/accounts/quotas.ts";
import type { QuotaStore, UploadStore } from "../../../functions/domain/ports.ts";
import {
  fetchedRecord,
  idempotencyRecord,
  NOW,
  quotaRecord,
  sentRecord,
  uploadRecord,
} from "../../support/world/records.ts";

export interface UploadStoreHarness {
  readonly uploads: UploadStore;
  /** Counts what the uploads count. */
  readonly quotas: QuotaStore;
  close(): Promise<void>;
}

/** The contract of every UploadStore. `make` returns empty stores; it is called before each test. */
export const uploadStoreContract = (name: string, make: () => Promise<UploadStoreHarness>): void => {
  describe(`${name} as UploadStore`, () => {
    let harness: UploadStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("returns an upload as it was added, and counts its request", async () => {
      const upload = uploadRecord();
      const claim = quotaRecord(upload.accountId, 5);
      expect(await harness.uploads.createUpload(upload, claim)).toEqual({ outcome: "created" });
      expect(await harness.uploads.getUpload(upload.id)).toStrictEqual(upload);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(1);
    });

    it("returns undefined for an upload that was never added", async () => {
      expect(await harness.uploads.getUpload(uploadRecord().id)).toBeUndefined();
    });

    it("adds no upload and counts nothing if the quota is used up", async () => {
      const upload = uploadRecord();
      const claim = quotaRecord(upload.accountId, 1);
      await harness.quotas.take(claim);
      expect(await harness.uploads.createUpload(upload, claim)).toEqual({ outcome: "quota_exceeded" });
      expect(await harness.uploads.getUpload(upload.id)).toBeUndefined();
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(1);
    });

    it("adds exactly as many of 60 concurrent uploads as the quota allows", async () => {
      const { accountId } = uploadRecord();
      const claim = quotaRecord(accountId, 20);
      const uploads = Array.from({ length: 60 }, () => uploadRecord({ accountId }));
      const outcomes = await Promise.all(uploads.map((upload) => harness.uploads.createUpload(upload, claim)));
      const found = await Promise.all(uploads.map(({ id }) => harness.uploads.getUpload(id)));
      expect(outcomes.filter(({ outcome }) => outcome === "created")).toHaveLength(20);
      expect(found.map((upload) => upload !== undefined)).toEqual(outcomes.map(({ outcome }) => outcome === "created"));
      expect(await harness.quotas.used(accountId, claim.month)).toBe(20);
    });

    it("counts nothing without a quota", async () => {
      const upload = uploadRecord();
      expect(await harness.uploads.createUpload(upload, undefined)).toEqual({ outcome: "created" });
      expect(await harness.quotas.used(upload.accountId, monthOf(NOW))).toBe(0);
    });

    describeIdempotency(() => harness);
    describePending(() => harness);
  });
};

const describeIdempotency = (harness: () => UploadStoreHarness): void => {
  it("adds and counts nothing for a used idempotency key, and returns its previous use", async () => {
    const { uploads, quotas } = harness();
    const [first, second] = [uploadRecord(), uploadRecord()];
    const claim = quotaRecord(first.accountId, 5);
    const idempotency = idempotencyRecord();
    expect(await uploads.createUpload(first, claim, idempotency)).toEqual({ outcome: "created" });
    const again = { ...idempotency, requestHash: "another" };
    const replayed = { outcome: "replayed", id: first.id, requestHash: idempotency.requestHash };
    expect(await uploads.createUpload(second, claim, again)).toEqual(replayed);
    expect(await uploads.getUpload(second.id)).toBeUndefined();
    expect(await quotas.used(first.accountId, claim.month)).toBe(1);
  });

  it("returns the use of an idempotency key until it expires, without changes", async () => {
    const { uploads } = harness();
    const upload = uploadRecord();
    const idempotency = idempotencyRecord();
    expect(await uploads.findReplay(idempotency.key, NOW)).toBeUndefined();
    await uploads.createUpload(upload, undefined, idempotency);
    const replay = { outcome: "replayed", id: upload.id, requestHash: idempotency.requestHash };
    expect(await uploads.findReplay(idempotency.key, NOW)).toStrictEqual(replay);
    expect(await uploads.findReplay(idempotency.key, idempotency.expiresAt - 1)).toStrictEqual(replay);
    expect(await uploads.findReplay(idempotency.key, idempotency.expiresAt)).toBeUndefined();
  });

  it("adds one of 20 concurrent uploads with the same idempotency key", async () => {
    const { uploads, quotas } = harness();
    const { accountId } = uploadRecord();
    const claim = quotaRecord(accountId, 50);
    const idempotency = idempotencyRecord();
    const wanted = Array.from({ length: 20 }, () => uploadRecord({ accountId }));
    const outcomes = await Promise.all(wanted.map((upload) => uploads.createUpload(upload, claim, idempotency)));
    expect(outcomes.filter(({ outcome }) => outcome === "created")).toHaveLength(1);
    expect(await quotas.used(accountId, claim.month)).toBe(1);
  });

  it("accepts an expired idempotency key again", async () => {
    const { uploads } = harness();
    const idempotency = idempotencyRecord({ expiresAt: NOW });
    await uploads.createUpload(uploadRecord(), undefined, idempotency);
    const later = uploadRecord({ createdAt: NOW + 1 });
    expect(await uploads.createUpload(later, undefined, { ...idempotency, expiresAt: NOW + 100 })).toEqual({
      outcome: "created",
    });
  });
};

const describePending = (harness: () => UploadStoreHarness): void => {
  const file = { status: "ready", bytes: 7, sha256: "00", format: "png" } as const;

  it("returns pending uploads as they were added", async () => {
    const { uploads } = harness();
    for (const upload of [sentRecord(), fetchedRecord()]) {
      await uploads.createUpload(upload, undefined);
      expect(await uploads.getUpload(upload.id)).toStrictEqual(upload);
    }
  });

  it("records once that all bytes are sent, and only for client uploads", async () => {
    const { uploads } = harness();
    const [sent, fetched, ready] = [sentRecord(), fetchedRecord(), uploadRecord()];
    for (const upload of [sent, fetched, ready]) {
      await uploads.createUpload(upload, undefined);
    }
    expect(await uploads.markSent(sent.id, NOW + 5)).toBe(true);
    expect(await uploads.getUpload(sent.id)).toStrictEqual({
      ...sent,
      source: { ...sent.source, completedAt: NOW + 5 },
    });
    expect(await uploads.markSent(sent.id, NOW + 6)).toBe(false);
    expect(await uploads.markSent(fetched.id, NOW + 5)).toBe(false);
    expect(await uploads.markSent(ready.id, NOW + 5)).toBe(false);
    expect(await uploads.markSent(uploadRecord().id, NOW + 5)).toBe(false);
  });

  it("ends a pending upload once: ready, without its source", async () => {
    const { uploads } = harness();
    const upload = fetchedRecord();
    await uploads.createUpload(upload, undefined);
    const ends = await Promise.all(Array.from({ length: 10 }, () => uploads.settle(upload.id, file)));
    expect(ends.filter(Boolean)).toHaveLength(1);
    const { source: _, ...rest } = upload;
    expect(await uploads.getUpload(upload.id)).toStrictEqual({ ...rest, ...file });
  });

  it("expires an upload early, but never extends its expiry", async () => {
    const { uploads } = harness();
    const upload = uploadRecord();
    await uploads.createUpload(upload, undefined);
    await uploads.expire(upload.id, NOW + 5);
    await uploads.expire(upload.id, NOW + 9);
    await uploads.expire(uploadRecord().id, NOW);
    expect(await uploads.getUpload(upload.id)).toStrictEqual({ ...upload, expiresAt: NOW + 5 });
  });

  it("ends a pending upload with its error, only once", async () => {
    const { uploads } = harness();
    const upload = sentRecord();
    await uploads.createUpload(upload, undefined);
    const failed = { status: "failed", error: { code: "hash_mismatch", detail: "Another SHA-256." } } as const;
    expect(await uploads.settle(upload.id, failed)).toBe(true);
    expect(await uploads.settle(upload.id, file)).toBe(false);
    const { source: _, ...rest } = upload;
    expect(await uploads.getUpload(upload.id)).toStrictEqual({ ...rest, ...failed });
    expect(await uploads.settle(uploadRecord().id, file)).toBe(false);
  });
};
