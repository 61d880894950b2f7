import type { Storage, StorageList, StorageSettings, StorageTest } from "../api.ts";
import type { Service } from "../http/request.ts";

/** Saved S3 buckets and WebDAV folders, to import files from and to export results to. Requires the scope `storages`. */
export interface Storages {
  /** Adds a storage, or replaces the one with this name. Credentials are never returned. */
  save(name: string, settings: StorageSettings): Promise<Storage>;
  list(): Promise<StorageList>;
  /** Writes a small file to the storage and deletes it. A storage that cannot be used is not an error. */
  test(name: string): Promise<StorageTest>;
  remove(name: string): Promise<void>;
}

export const storagesOf = (service: Service): Storages => ({
  save: (name, settings) =>
    service.json({
      method: "PUT",
      to: pathOf(name),
      headers: { "content-type": "application/json" },
      body: () => JSON.stringify(settings),
    }),
  list: () => service.json({ to: "storages" }),
  test: (name) => service.json({ method: "POST", to: `${pathOf(name)}/test` }),
  remove: (name) => service.done({ method: "DELETE", to: pathOf(name) }),
});

const pathOf = (name: string): string => `storages/${encodeURIComponent(name)}`;
