import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { residentBytes } from "../../../functions/engines/core/memory.ts";
import {
  accountsCommand,
  type LocalService,
  type NewAccount,
  startLocalService,
} from "../../support/services/local-service.ts";
import { type Attack, attacks, type CrowdSettings } from "./crowd.ts";
import { type GoodClient, useService, type Waits } from "./good-client.ts";

/** Measures a good client while hostile connections are open, one kind after the other. */

export interface Phase {
  readonly name: string;
  /** Hostile connections that were opened, and that were still open at the end. */
  readonly sockets: number;
  readonly open: number;
  readonly waits: Waits;
  /** The highest memory of the service. */
  readonly residentBytes: number;
}

export interface SocketSettings {
  readonly sockets: number;
  /** Addresses of this machine that the hostile connections come from. */
  readonly addresses: number;
  readonly milliseconds: number;
  /** @returns whether to run this kind of attack */
  readonly choose: (name: string) => boolean;
}

const SAMPLE_MS = 100;

/** @returns a phase without hostile connections, and one for each kind */
export const runSockets = async (settings: SocketSettings): Promise<readonly Phase[]> => {
  const service = await startLocalService();
  try {
    const client = await goodClientOf(service);
    await useService(client, 1_000);
    const phases = [await measure(service, client, { ...settings, sockets: 0 })];
    for (const attack of attacks.filter(({ name }) => settings.choose(name))) {
      phases.push(await measure(service, client, { ...settings, attack }));
    }
    return phases;
  } finally {
    await service.stop();
    await service.erase();
  }
};

const goodClientOf = async ({ url, dataDir }: LocalService): Promise<GoodClient> => {
  const args = ["create", "--email", "good@example.com", "--plan", "enterprise", "--quota", "1000000"];
  const { api_key } = await accountsCommand<NewAccount>(args, { DATA_DIR: dataDir });
  return { url, key: api_key, localAddress: "127.0.0.2" };
};

interface PhaseSettings extends SocketSettings {
  readonly attack?: Attack;
}

const measure = async (service: LocalService, client: GoodClient, settings: PhaseSettings): Promise<Phase> => {
  const { attack, sockets, milliseconds } = settings;
  const crowd = attack === undefined ? undefined : await startCrowd(service, { ...settings, attack });
  let resident = 0;
  const timer = setInterval(() => {
    resident = Math.max(resident, residentBytes(service.process.pid ?? 0));
  }, SAMPLE_MS);
  const waits = await useService(client, milliseconds);
  clearInterval(timer);
  const open = crowd === undefined ? 0 : await crowd.stop();
  return { name: attack?.name ?? "none", sockets, open, waits, residentBytes: resident };
};

const startCrowd = async (service: LocalService, settings: PhaseSettings & { readonly attack: Attack }) => {
  const child = fork(join(import.meta.dirname, "crowd-process.ts"), { stdio: "inherit" });
  const addresses = Array.from({ length: settings.addresses }, (_, index) => `127.0.1.${index + 1}`);
  const { attack, sockets } = settings;
  const port = Number(new URL(service.url).port);
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`The process with the hostile connections ended early: ${code ?? signal}.`);
  });
  // The error is reported while the process should run, and expected after that.
  ended.catch(() => undefined);
  child.send({ port, attack, sockets, addresses, returns: true } satisfies CrowdSettings, () => undefined);
  await Promise.race([once(child, "message"), ended]);
  return { stop: () => stopCrowd(child) };
};

const stopCrowd = async (child: ChildProcess): Promise<number> => {
  const [open] = await once(child, "message");
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
  return Number(open);
};
