import type { SessionStore } from "../../domain/accounts/account-ports.ts";
import { sha256Hex } from "../../domain/ids.ts";
import type { Challenge } from "../../domain/sessions/session.ts";
import { contentOf, type Dynamo, type Item, itemOf, readRecord, recordsOf } from "./records.ts";
import { signingKeysOf } from "./signing-keys.ts";
import { insert, insertNew, remove, update } from "./writes.ts";

/** Sessions, passkeys and challenges, in the accounts table of DynamoDB. Expired records are deleted automatically. */
export const dynamoSessions = (dynamo: Dynamo): SessionStore => ({
  ...challengesOf(dynamo),
  ...sessionsOf(dynamo),
  ...passkeysOf(dynamo),
  ...signingKeysOf(dynamo),
});

type Challenges = Pick<SessionStore, "addChallenge" | "endChallenge" | "tryChallenge">;

const challengesOf = (dynamo: Dynamo): Challenges => {
  const table = dynamo.tables.keys;
  return {
    addChallenge: ({ kind, ...challenge }) =>
      insert(dynamo, table, itemOf(challenge.id, "challenge", { ...challenge, asks: kind }, challenge.expiresAt)),
    tryChallenge: async (id, triesMax) => {
      if (!isChallenge(id)) {
        return undefined;
      }
      const tried = await update(dynamo, {
        table,
        key: { pk: id },
        update: "ADD #tries :one",
        condition: "#kind = :challenge AND #tries < :max",
        values: { ":one": 1, ":challenge": "challenge", ":max": triesMax },
      });
      return challengeOf(tried);
    },
    endChallenge: async (id) => isChallenge(id) && (await remove(dynamo, table, id)),
  };
};

/** Clients send the IDs of challenges, and other records share their table. */
const isChallenge = (id: string): boolean => /^cha_[0-9A-Za-z]{22}$/.test(id);

const challengeOf = (item: Item | undefined): Challenge | undefined => {
  const record = contentOf(item, "challenge");
  if (record === undefined) {
    return undefined;
  }
  const { asks, ...challenge } = record;
  return { ...challenge, kind: asks };
};

type Sessions = Pick<SessionStore, "addSession" | "endSession" | "findSession" | "noteSession" | "sessionsOf">;

const sessionsOf = (dynamo: Dynamo): Sessions => {
  const table = dynamo.tables.keys;
  return {
    addSession: (session) =>
      insert(dynamo, table, itemOf(sessionKey(session.hash), "session", session, session.expiresAt)),
    findSession: (hash) => readRecord(dynamo, { table, key: sessionKey(hash), kind: "session" }),
    sessionsOf: (accountId) => recordsOf(dynamo, { accountId, prefix: "session#", kind: "session" }),
    noteSession: async (hash, now) => {
      await update(dynamo, {
        table,
        key: { pk: sessionKey(hash) },
        update: "SET #lastUsedAt = :now",
        condition: "#kind = :session AND #lastUsedAt < :now",
        values: { ":now": now, ":session": "session" },
      });
    },
    endSession: async (hash) => {
      await remove(dynamo, table, sessionKey(hash));
    },
  };
};

const sessionKey = (hash: string): string => `session#${hash}`;

type Passkeys = Pick<SessionStore, "addPasskey" | "findPasskey" | "passkeysOf" | "removePasskey" | "usePasskey">;

const passkeysOf = (dynamo: Dynamo): Passkeys => {
  const table = dynamo.tables.keys;
  return {
    addPasskey: (passkey) => insertNew(dynamo, table, itemOf(passkeyKey(passkey.id), "passkey", passkey)),
    findPasskey: (id) => readRecord(dynamo, { table, key: passkeyKey(id), kind: "passkey" }),
    passkeysOf: (accountId) => recordsOf(dynamo, { accountId, prefix: "passkey#", kind: "passkey" }),
    usePasskey: async (id, { from, to }, now) => {
      const used = await update(dynamo, {
        table,
        key: { pk: passkeyKey(id) },
        update: "SET #counter = :to, #lastUsedAt = :now",
        condition: "#kind = :passkey AND #counter = :from",
        values: { ":to": to, ":now": now, ":passkey": "passkey", ":from": from },
      });
      return used !== undefined;
    },
    removePasskey: async (id) => {
      await remove(dynamo, table, passkeyKey(id));
    },
  };
};

/** An ID may have 1,023 bytes (WebAuthn 3, 4), which exceeds an index key when encoded as text. */
const passkeyKey = (id: string): string => `passkey#${sha256Hex(id)}`;
