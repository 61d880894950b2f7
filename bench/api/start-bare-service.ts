import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The bare service of `bare-service.ts`, as a process. */
export interface BareService {
  readonly url: string;
  /** Its process, whose CPU time counts, with its descendants. */
  readonly root: number;
  readonly stop: () => Promise<void>;
}

export const startBareService = async (): Promise<BareService> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-bare-"));
  const service = fork(join(import.meta.dirname, "bare-service.ts"), [folder]);
  const [port] = await once(service, "message");
  return {
    url: `http://127.0.0.1:${port}`,
    root: service.pid ?? 0,
    stop: async () => {
      service.disconnect();
      await once(service, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
};
