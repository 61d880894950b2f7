import type { SessionStore } from "../../functions/domain/accounts/account-ports.ts";
import {
  type Challenge,
  type Passkey,
  rotatedKeys,
  type Session,
  type SigningKey,
} from "../../functions/domain/sessions/session.ts";
import type { Database } from "./database.ts";
import { integerOf, type Row, textOf } from "./rows.ts";

/** Sessions, passkeys and challenges are stored as JSON; additional columns contain the searched fields. */
export const sqliteSessions = (database: Database): SessionStore => ({
  ...challengesOf(database),
  ...sessionsOf(database),
  ...passkeysOf(database),
  ...signingKeysOf(database),
});

type Challenges = Pick<SessionStore, "addChallenge" | "endChallenge" | "tryChallenge">;

const challengesOf = (database: Database): Challenges => {
  const insert = database.prepare("INSERT INTO challenges (id, body, expires_at) VALUES (:id, :body, :expiresAt)");
  const count = database.prepare(`
    UPDATE challenges SET body = json_set(body, '$.tries', (body ->> '$.tries') + 1)
    WHERE id = :id AND body ->> '$.tries' < :triesMax RETURNING body`);
  const end = database.prepare("DELETE FROM challenges WHERE id = ?");
  return {
    addChallenge: async (challenge) => {
      const { id, expiresAt } = challenge;
      // If a power failure loses one, the user requests another.
      await database.soon(() => insert.run({ id, body: JSON.stringify(challenge), expiresAt }));
    },
    tryChallenge: async (id, triesMax) => bodyOf<Challenge>(await database.soon(() => count.get({ id, triesMax }))),
    endChallenge: async (id) => (await database.durably(() => end.run(id))).changes === 1,
  };
};

type Sessions = Pick<SessionStore, "addSession" | "endSession" | "findSession" | "noteSession" | "sessionsOf">;

const sessionsOf = (database: Database): Sessions => {
  const insert = database.prepare(
    "INSERT INTO sessions (hash, body, account_id, expires_at) VALUES (:hash, :body, :accountId, :expiresAt)",
  );
  const find = database.prepare("SELECT body FROM sessions WHERE hash = ?");
  const list = database.prepare("SELECT body FROM sessions WHERE account_id = ?");
  const note = database.prepare(`
    UPDATE sessions SET body = json_set(body, '$.lastUsedAt', :now) WHERE hash = :hash AND body ->> '$.lastUsedAt' < :now`);
  const end = database.prepare("DELETE FROM sessions WHERE hash = ?");
  return {
    addSession: async (session) => {
      const { hash, accountId, expiresAt } = session;
      await database.durably(() => insert.run({ hash, body: JSON.stringify(session), accountId, expiresAt }));
    },
    findSession: async (hash) => bodyOf<Session>(find.get(hash)),
    sessionsOf: async (accountId) => list.all(accountId).flatMap((row) => bodyOf<Session>(row) ?? []),
    noteSession: async (hash, now) => {
      await database.soon(() => note.run({ hash, now }));
    },
    endSession: async (hash) => {
      await database.durably(() => end.run(hash));
    },
  };
};

type Passkeys = Pick<SessionStore, "addPasskey" | "findPasskey" | "passkeysOf" | "removePasskey" | "usePasskey">;

const passkeysOf = (database: Database): Passkeys => {
  const insert = database.prepare(
    "INSERT INTO passkeys (id, body, account_id) VALUES (:id, :body, :accountId) ON CONFLICT (id) DO NOTHING",
  );
  const find = database.prepare("SELECT body FROM passkeys WHERE id = ?");
  const list = database.prepare("SELECT body FROM passkeys WHERE account_id = ?");
  const use = database.prepare(`
    UPDATE passkeys SET body = json_set(body, '$.counter', :to, '$.lastUsedAt', :now)
    WHERE id = :id AND body ->> '$.counter' = :from`);
  const remove = database.prepare("DELETE FROM passkeys WHERE id = ?");
  return {
    addPasskey: async (passkey) => {
      const row = { id: passkey.id, body: JSON.stringify(passkey), accountId: passkey.accountId };
      return (await database.durably(() => insert.run(row))).changes === 1;
    },
    findPasskey: async (id) => bodyOf<Passkey>(find.get(id)),
    passkeysOf: async (accountId) => list.all(accountId).flatMap((row) => bodyOf<Passkey>(row) ?? []),
    usePasskey: async (id, { from, to }, now) =>
      (await database.durably(() => use.run({ id, from, to, now }))).changes === 1,
    removePasskey: async (id) => {
      await database.durably(() => remove.run(id));
    },
  };
};

const signingKeysOf = (database: Database): Pick<SessionStore, "rotateSigningKeys" | "signingKeys"> => {
  const list = database.prepare("SELECT id, secret, created_at FROM signing_keys ORDER BY created_at DESC, id DESC");
  const insert = database.prepare(`
    INSERT INTO signing_keys (id, secret, created_at) VALUES (:id, :secret, :createdAt) ON CONFLICT (id) DO NOTHING`);
  const clear = database.prepare("DELETE FROM signing_keys");
  const all = (): readonly SigningKey[] => list.all().map(signingKeyOf);
  return {
    signingKeys: async () => all(),
    rotateSigningKeys: (key, bounds) =>
      database.durably(() => {
        const keys = rotatedKeys(all(), key, bounds);
        clear.run();
        for (const { id, secret, createdAt } of keys) {
          insert.run({ id, secret, createdAt });
        }
        return keys;
      }),
  };
};

const signingKeyOf = (row: Row): SigningKey => ({
  id: textOf(row, "id"),
  secret: textOf(row, "secret"),
  createdAt: integerOf(row, "created_at"),
});

/** Only this store writes the rows, so their content matches the type. */
const bodyOf = <T>(row: Row | undefined): T | undefined => row && (JSON.parse(textOf(row, "body")) as T);
