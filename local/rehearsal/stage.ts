import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveOn } from "../../functions/api/http.ts";
import type { ConverterPool } from "../../functions/engines/core/run.ts";
import { firstKey } from "../accounts/first-key.ts";
import { composeContext, type InstalledRoutes } from "../context.ts";
import { gateway } from "../http/gateway.ts";
import { requestOrigin } from "../http/request-origin.ts";
import { startWork } from "../queue/start-work.ts";
import type { Settings } from "../settings.ts";
import { makeStageFolder } from "./stage-folder.ts";

/** A second service in this process, with an own database and folders, that nobody else can reach. */
export interface Stage {
  /** The path of the Unix socket that it listens on, in a folder that only this user can open. */
  readonly socketPath: string;
  readonly key: string;
  /** Ends it, and removes what it has stored. */
  close(): Promise<void>;
}

export interface StageSettings {
  readonly settings: Settings;
  readonly installed: InstalledRoutes;
  /** For the data if the system has no file system in memory. */
  readonly scratchFolder: string;
  readonly conversions: Pick<ConverterPool, "run" | "runBytes">;
  readonly onError: (error: unknown) => void;
}

/** How long requests and conversions may take to end. */
const DRAIN_MS_MAX = 5_000;

export const openStage = async (parts: StageSettings): Promise<Stage> => {
  const { settings, installed, scratchFolder, conversions, onError } = parts;
  const dataDir = await makeStageFolder(settings.dataDir, scratchFolder);
  // A path in the data directory can be longer than the 107 bytes that the system allows.
  const socketFolder = await mkdtemp(join(tmpdir(), "anyform-rehearsal-"));
  const erase = async (): Promise<void> => {
    for (const folder of [dataDir, socketFolder]) {
      await rm(folder, { recursive: true, force: true });
    }
  };
  try {
    const alone = {
      stripe: undefined,
      identity: undefined,
      smtp: undefined,
      operators: undefined,
      publicUrl: undefined,
      apiProcesses: 1,
    };
    const context = composeContext({ ...settings, ...alone, dataDir }, installed);
    await context.reservations.recover();
    const key = (await readFile(await firstKey(context), "utf8")).trim();
    const server = await gateway({
      body: "stream",
      handlerOf: serveOn(() => context),
      files: context.files.serveSigned,
      origin: requestOrigin({ ...settings, listensOn: "localhost" }),
      onError,
    });
    const work = startWork(context, { conversions, slots: 1, onError });
    const socketPath = join(socketFolder, "socket");
    await once(server.listen(socketPath), "listening");
    const close = async (): Promise<void> => {
      await work.drain(DRAIN_MS_MAX);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await context.files.close();
      await context.requestLog.flush();
      context.reservations.close();
      context.database.close();
      await erase();
    };
    return { socketPath, key, close };
  } catch (error) {
    await erase();
    throw error;
  }
};
