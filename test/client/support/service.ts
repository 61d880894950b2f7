import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Anyform, createClient } from "../../../client/node.ts";
import { type LocalService, startLocalService } from "../../support/services/local-service.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

/** A real service with its owner's key, a client and a working folder. */
export interface Bench {
  readonly service: LocalService;
  readonly apiKey: string;
  readonly client: Anyform;
  readonly folder: string;
  close(): Promise<void>;
}

export const openBench = async (env: Record<string, string> = {}): Promise<Bench> => {
  const folder: TemporaryFolder = temporaryFolder();
  const service = await startLocalService({ env });
  const apiKey = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
  return {
    service,
    apiKey,
    client: createClient({ apiKey, baseUrl: service.url }),
    folder: folder.path,
    close: async () => {
      await service.stop();
      await service.erase();
      await folder.remove();
    },
  };
};

/** @returns the path of a test fixture */
export const fixture = (name: string): string => join(import.meta.dirname, "../../fixtures", name);
