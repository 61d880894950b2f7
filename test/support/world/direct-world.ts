import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../../../functions/domain/ports.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import { convertBytes } from "../../../functions/engines/core/convert-bytes.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
import { type DirectSettings, directConversions } from "../../../local/queue/direct-conversions.ts";
import { accountRecord, NOW, quotaRecord } from "./records.ts";
import { makeWorld } from "./world.ts";

export type DirectWorld = Awaited<ReturnType<typeof directWorld>>;

/** The pool in this process: what a converter does with its task. */
export const ownPool: DirectSettings["pool"] = {
  run: (task) => convert(task, () => {}),
  runBytes: ({ input, ...conversion }) => convertBytes(conversion, Buffer.concat(input)),
};

/** @returns a world with an account and eight converters for direct conversions, on real stores and engines */
export const directWorld = async () => {
  const world = makeWorld(NOW);
  const account = accountRecord({ webhookUrl: "https://example.com/hook" });
  await world.context.accounts.createAccount(account);
  await world.context.reservations.recover();
  /** The free ones, and the direct conversions that have ended. */
  const converters = { free: 8, ended: 0 };
  const slot = async () => {
    converters.free -= 1;
    let isFree = false;
    return converters.free < 0
      ? undefined
      : () => {
          converters.free += isFree ? 0 : 1;
          isFree = true;
        };
  };
  const onEnd = (): void => {
    converters.ended += 1;
  };
  /** Without direct conversions. No request waits for a job that no dispatcher converts. */
  const queued: Context = { ...world.context, slots: { take: async () => undefined } };
  const contextWith = (settings: Partial<DirectSettings>): Context => {
    const direct = directConversions(() => world.context);
    direct.open({ pool: ownPool, onEnd, slot, ...settings });
    return { ...queued, direct };
  };
  const direct = {
    world,
    account,
    converters,
    queued,
    context: contextWith({}),
    /** Replaces what converts directly. */
    open: (settings: Partial<DirectSettings>) => {
      direct.context = contextWith(settings);
    },
    convertQueued: async () => {
      for (const message of world.sent) {
        await convertFile(queued, ownPool.run)(message);
      }
    },
    used: () => queued.quotas.used(account.id, quotaRecord(account.id, 0).month),
    storedIn: (folder: "results" | "tmp" | "uploads") => readdirSync(join(world.folder, "files", folder)),
    records: async () => (await queued.jobs.listJobs({ accountId: account.id, limit: 100, now: NOW })).items,
    close: world.close,
  };
  return direct;
};
