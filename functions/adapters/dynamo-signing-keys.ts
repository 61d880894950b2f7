import type { SessionStore } from "../domain/account-ports.ts";
import { RequestError } from "../domain/errors.ts";
import { rotatedKeys, type SigningKey } from "../domain/sessions.ts";
import { type Dynamo, readRecord } from "./dynamo-records.ts";
import { update } from "./dynamo-writes.ts";

/** The record of all keys that sign sessions. */
const SIGNING = "signing";

/** Times that the keys are read again because another process changed them meanwhile. It happens once a month. */
const TRIES_MAX = 5;

/** What signs sessions: one record, so that one of many processes at once adds a key and all of them see it. */
export const signingKeysOf = (dynamo: Dynamo): Pick<SessionStore, "rotateSigningKeys" | "signingKeys"> => ({
  signingKeys: async () => (await read(dynamo)).keys,

  rotateSigningKeys: async (key, bounds) => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const { keys, version } = await read(dynamo);
      const next = rotatedKeys(keys, key, bounds);
      if (sameKeys(keys, next) || (await write(dynamo, next, version))) {
        return next;
      }
    }
    throw new RequestError("temporarily_unavailable", "Too many sign in at once. Try again shortly.");
  },
});

const read = async (dynamo: Dynamo): Promise<{ keys: readonly SigningKey[]; version: number }> =>
  (await readRecord(dynamo, { table: dynamo.tables.keys, key: SIGNING, kind: "signing" })) ?? { keys: [], version: 0 };

/** @returns whether it was written: the record still had the version */
const write = async (dynamo: Dynamo, keys: readonly SigningKey[], version: number): Promise<boolean> => {
  const written = await update(dynamo, {
    table: dynamo.tables.keys,
    key: { pk: SIGNING },
    update: "SET #kind = :kind, #keys = :keys, #version = :next",
    condition: "attribute_not_exists(#version) OR #version = :version",
    values: { ":kind": SIGNING, ":keys": keys, ":next": version + 1, ":version": version },
  });
  return written !== undefined;
};

const sameKeys = (keys: readonly SigningKey[], others: readonly SigningKey[]): boolean =>
  keys.length === others.length && keys.every(({ id }, index) => id === others[index]?.id);
