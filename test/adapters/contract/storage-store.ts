import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Storage, StorageStore } from "../../../functions/domain/exports/storage.ts";
import { newId } from "../../../functions/domain/ids.ts";
import { NOW } from "../../support/world/records.ts";

export interface StorageStoreHarness {
  readonly storages: StorageStore;
  close(): Promise<void>;
}

const storageRecord = (overrides: Partial<Storage> = {}): Storage => ({
  accountId: newId("account", NOW, randomBytes),
  name: "archive",
  place: { type: "s3", endpoint: "https://objects.example.com", region: "eu-central-1", bucket: "results" },
  sealed: "v1.abc",
  createdAt: NOW,
  updatedAt: NOW,
  ...overrides,
});

/** The contract of every StorageStore. `make` returns an empty store; it is called before each test. */
export const storageStoreContract = (name: string, make: () => Promise<StorageStoreHarness>): void => {
  describe(`${name} as StorageStore`, () => {
    let harness: StorageStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("returns a storage as it was saved, and replaces it completely", async () => {
      const { storages } = harness;
      const storage = storageRecord();
      await storages.put(storage);
      expect(await storages.get(storage.accountId, "archive")).toStrictEqual(storage);
      const place = { type: "webdav", endpoint: "https://dav.example.com/" } as const;
      const changed = { ...storage, place, sealed: "v1.def", updatedAt: NOW + 1 };
      await storages.put(changed);
      expect(await storages.get(storage.accountId, "archive")).toStrictEqual(changed);
      expect(await storages.list(storage.accountId)).toStrictEqual([changed]);
    });

    it("keeps the storages of accounts apart, also with equal names", async () => {
      const { storages } = harness;
      const [mine, other] = [storageRecord(), storageRecord({ sealed: "v1.other" })];
      const second = storageRecord({ accountId: mine.accountId, name: "archive.2" });
      for (const storage of [mine, other, second]) {
        await storages.put(storage);
      }
      expect(await storages.get(other.accountId, "archive")).toStrictEqual(other);
      expect(await storages.get(other.accountId, "archive.2")).toBeUndefined();
      const names = (await storages.list(mine.accountId)).map((storage) => storage.name);
      expect(names.toSorted()).toEqual(["archive", "archive.2"]);
    });

    it("deletes one storage, and returns whether it existed", async () => {
      const { storages } = harness;
      const [mine, other] = [storageRecord(), storageRecord()];
      await storages.put(mine);
      await storages.put(other);
      expect(await storages.remove(mine.accountId, "archive")).toBe(true);
      expect(await storages.remove(mine.accountId, "archive")).toBe(false);
      expect(await storages.list(mine.accountId)).toEqual([]);
      expect(await storages.get(other.accountId, "archive")).toStrictEqual(other);
    });
  });
};
