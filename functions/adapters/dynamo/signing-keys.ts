import type { SessionStore } from "../../domain/accounts/account-ports.ts";
import { RequestError } from "../../domain/errors.ts";
import { rotatedKeys, type SigningKey } from "../../domain/sessions/session.ts";
import { type Dynamo, readRecord } from "./records.ts";
import { update } from "./writes.ts";

/** The record of all session signing keys. */
const SIGNING = "signing";

/** Retries after concurrent changes by another process, which happen once a month. */
const TRIES_MAX = 5;

/** Session signing keys in one record, so that only one of several concurrent processes adds a key and all see it. */
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
    throw new RequestError("temporarily_unavailable", "Too many concurrent sign-ins. Try again shortly.");
  },
});

const read = async (dynamo: Dynamo): Promise<{ keys: readonly SigningKey[]; version: number }> =>
  (await readRecord(dynamo, { table: dynamo.tables.keys, key: SIGNING, kind: "signing" })) ?? { keys: [], version: 0 };

/** @returns whether it was written, which requires that the version has not changed */
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
