import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { QuotaStore, UploadStore } from "../../../functions/domain/ports.ts";
import { quotaRecord, uploadRecord } from "../../support/records.ts";

export interface UploadStoreHarness {
  readonly uploads: UploadStore;
  /** Counts what the uploads count. */
  readonly quotas: QuotaStore;
  close(): Promise<void>;
}

/** What every UploadStore promises. `make` gives empty stores; it is called before each test. */
export const uploadStoreContract = (name: string, make: () => Promise<UploadStoreHarness>): void => {
  describe(`${name} as UploadStore`, () => {
    let harness: UploadStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("gives an upload back as it was added, and counts its request", async () => {
      const upload = uploadRecord();
      const claim = quotaRecord(upload.accountId, 5);
      expect(await harness.uploads.createUpload(upload, claim)).toBe("created");
      expect(await harness.uploads.getUpload(upload.id)).toStrictEqual(upload);
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(1);
    });

    it("knows no upload that was never added", async () => {
      expect(await harness.uploads.getUpload(uploadRecord().id)).toBeUndefined();
    });

    it("adds no upload and counts nothing when the quota is used up", async () => {
      const upload = uploadRecord();
      const claim = quotaRecord(upload.accountId, 1);
      await harness.quotas.take(claim);
      expect(await harness.uploads.createUpload(upload, claim)).toBe("quota_exceeded");
      expect(await harness.uploads.getUpload(upload.id)).toBeUndefined();
      expect(await harness.quotas.used(claim.accountId, claim.month)).toBe(1);
    });

    it("adds exactly as many of 60 uploads at once as the quota allows", async () => {
      const { accountId } = uploadRecord();
      const claim = quotaRecord(accountId, 20);
      const uploads = Array.from({ length: 60 }, () => uploadRecord({ accountId }));
      const outcomes = await Promise.all(uploads.map((upload) => harness.uploads.createUpload(upload, claim)));
      const found = await Promise.all(uploads.map(({ id }) => harness.uploads.getUpload(id)));
      expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(20);
      expect(found.map((upload) => upload !== undefined)).toEqual(outcomes.map((outcome) => outcome === "created"));
      expect(await harness.quotas.used(accountId, claim.month)).toBe(20);
    });
  });
};
