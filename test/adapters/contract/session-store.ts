import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionStore } from "../../../functions/domain/accounts/account-ports.ts";
import { newId } from "../../../functions/domain/ids.ts";
import type { SigningKey } from "../../../functions/domain/sessions/session.ts";
import { challengeRecord, passkeyRecord, sessionRecord, signingKeyRecord } from "../../support/browser/people.ts";
import { NOW } from "../../support/world/records.ts";

export interface SessionStoreHarness {
  readonly sessions: SessionStore;
  close(): Promise<void>;
}

/** The contract of every SessionStore. `make` returns an empty store; it is called before each test. */
export const sessionStoreContract = (name: string, make: () => Promise<SessionStoreHarness>): void => {
  describe(`${name} as SessionStore`, () => {
    let harness: SessionStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());
    const store = () => harness.sessions;

    describeChallenges(store);
    describeSessions(store);
    describePasskeys(store);
    describeSigningKeys(store);
  });
};

const describeChallenges = (store: () => SessionStore): void => {
  it("returns a challenge of each kind with its number of attempts", async () => {
    const code = challengeRecord();
    const passkey = challengeRecord({ kind: "new_passkey", accountId: "acc_1" });
    await store().addChallenge(code);
    await store().addChallenge(passkey);
    expect(await store().tryChallenge(code.id, 5)).toStrictEqual({ ...code, tries: 1 });
    expect(await store().tryChallenge(code.id, 5)).toStrictEqual({ ...code, tries: 2 });
    expect(await store().tryChallenge(passkey.id, 1)).toStrictEqual({ ...passkey, tries: 1 });
  });

  it("allows five of 100 concurrent attempts at a challenge, and none afterward", async () => {
    const { id } = challengeRecord();
    await store().addChallenge(challengeRecord({ id }));
    const tried = await Promise.all(Array.from({ length: 100 }, () => store().tryChallenge(id, 5)));
    expect(tried.flatMap((challenge) => challenge?.tries ?? []).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(await store().tryChallenge(id, 5)).toBeUndefined();
  });

  it("returns no challenge for any unknown ID", async () => {
    for (const id of [challengeRecord().id, "", "acc_1", "signing", "é".repeat(3_000)]) {
      expect(await store().tryChallenge(id, 5)).toBeUndefined();
      expect(await store().endChallenge(id)).toBe(false);
    }
  });

  it("lets one of 20 concurrent requests use up a challenge, which allows no further attempts", async () => {
    const [used, other] = [challengeRecord(), challengeRecord()];
    await store().addChallenge(used);
    await store().addChallenge(other);
    const ended = await Promise.all(Array.from({ length: 20 }, () => store().endChallenge(used.id)));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await store().tryChallenge(used.id, 5)).toBeUndefined();
    expect(await store().tryChallenge(other.id, 5)).toBeDefined();
  });
};

const describeSessions = (store: () => SessionStore): void => {
  it("finds a session by its hash as it was added, and none by another hash", async () => {
    const session = sessionRecord({ device: "Firefox auf Linux – Köln" });
    await store().addSession(session);
    expect(await store().findSession(session.hash)).toStrictEqual(session);
    expect(await store().findSession(sessionRecord().hash)).toBeUndefined();
  });

  it("lists only the sessions of an account", async () => {
    const accountId = newId("account", NOW, randomBytes);
    const own = [sessionRecord({ accountId }), sessionRecord({ accountId })];
    for (const session of [...own, sessionRecord()]) {
      await store().addSession(session);
    }
    expect(byHash(await store().sessionsOf(accountId))).toEqual(byHash(own));
    expect(await store().sessionsOf(newId("account", NOW, randomBytes))).toEqual([]);
  });

  it("records the last use of a session, and never an earlier time", async () => {
    const session = sessionRecord();
    await store().addSession(session);
    await store().noteSession(session.hash, NOW + 3_600_000);
    await store().noteSession(session.hash, NOW + 1);
    expect(await store().findSession(session.hash)).toStrictEqual({ ...session, lastUsedAt: NOW + 3_600_000 });
  });

  it("ends only the given session, immediately", async () => {
    const [ended, other] = [sessionRecord(), sessionRecord()];
    await store().addSession(ended);
    await store().addSession(other);
    await store().endSession(ended.hash);
    expect(await store().findSession(ended.hash)).toBeUndefined();
    expect(await store().findSession(other.hash)).toStrictEqual(other);
    expect(await store().sessionsOf(ended.accountId)).toEqual([]);
  });

  it("does not end, record or add a missing session", async () => {
    const { hash } = sessionRecord();
    await store().endSession(hash);
    await store().noteSession(hash, NOW);
    expect(await store().findSession(hash)).toBeUndefined();
  });
};

const describePasskeys = (store: () => SessionStore): void => {
  it("finds a passkey by its ID as it was added, for any ID length", async () => {
    const [short, long] = [passkeyRecord(), passkeyRecord({ id: randomBytes(1_023).toString("base64url") })];
    for (const passkey of [short, long]) {
      expect(await store().addPasskey(passkey)).toBe(true);
      expect(await store().findPasskey(passkey.id)).toStrictEqual(passkey);
    }
    expect(await store().findPasskey(passkeyRecord().id)).toBeUndefined();
  });

  it("adds and keeps one of 20 concurrent passkeys with the same ID", async () => {
    const passkey = passkeyRecord();
    const others = Array.from({ length: 20 }, () => passkeyRecord({ id: passkey.id }));
    const added = await Promise.all(others.map((each) => store().addPasskey(each)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await store().findPasskey(passkey.id)).toStrictEqual(others[added.indexOf(true)]);
  });

  it("lists only the passkeys of an account, and removes one", async () => {
    const accountId = newId("account", NOW, randomBytes);
    const [kept, removed] = [passkeyRecord({ accountId }), passkeyRecord({ accountId })];
    for (const passkey of [kept, removed, passkeyRecord()]) {
      await store().addPasskey(passkey);
    }
    expect((await store().passkeysOf(accountId)).map(({ id }) => id).sort()).toEqual([kept.id, removed.id].sort());
    await store().removePasskey(removed.id);
    await store().removePasskey(passkeyRecord().id);
    expect(await store().passkeysOf(accountId)).toEqual([kept]);
    expect(await store().findPasskey(removed.id)).toBeUndefined();
  });

  it("accepts one of 20 concurrent uses with the same counter, so that a cloned passkey is detected", async () => {
    const passkey = passkeyRecord({ counter: 7 });
    await store().addPasskey(passkey);
    const uses = Array.from({ length: 20 }, () => store().usePasskey(passkey.id, { from: 7, to: 8 }, NOW + 5));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    expect(await store().findPasskey(passkey.id)).toStrictEqual({ ...passkey, counter: 8, lastUsedAt: NOW + 5 });
    expect(await store().usePasskey(passkeyRecord().id, { from: 0, to: 1 }, NOW)).toBe(false);
  });

  it("accepts every use of a passkey without a counter", async () => {
    const passkey = passkeyRecord({ counter: 0 });
    await store().addPasskey(passkey);
    expect(await store().usePasskey(passkey.id, { from: 0, to: 0 }, NOW + 1)).toBe(true);
    expect(await store().usePasskey(passkey.id, { from: 0, to: 0 }, NOW + 2)).toBe(true);
    expect(await store().findPasskey(passkey.id)).toMatchObject({ counter: 0, lastUsedAt: NOW + 2 });
  });
};

const describeSigningKeys = (store: () => SessionStore): void => {
  const bounds = { after: NOW - 1_000, endedAt: NOW - 2_000 };

  it("starts without keys, and returns an added key", async () => {
    expect(await store().signingKeys()).toEqual([]);
    const key = signingKeyRecord();
    expect(await store().rotateSigningKeys(key, bounds)).toEqual([key]);
    expect(await store().signingKeys()).toEqual([key]);
  });

  it("adds one key for 20 concurrent rotations, and returns it to all of them", async () => {
    const keys = Array.from({ length: 20 }, () => signingKeyRecord());
    const rotated = await Promise.all(keys.map((key) => store().rotateSigningKeys(key, bounds)));
    const [kept, ...others] = await store().signingKeys();
    expect(others).toEqual([]);
    expect(rotated.every((all) => all.length === 1 && all[0]?.id === kept?.id)).toBe(true);
  });

  it("adds no key while one is recent, keeps old ones, newest first, and removes the oldest", async () => {
    const made: SigningKey[] = [];
    for (const age of [5_000, 1_500, 0]) {
      const key = signingKeyRecord({ createdAt: NOW - age });
      made.unshift(key);
      await store().rotateSigningKeys(key, { after: NOW - age - 1_000, endedAt: 0 });
    }
    expect(await store().signingKeys()).toEqual(made);
    expect(await store().rotateSigningKeys(signingKeyRecord(), bounds)).toEqual(made.slice(0, 2));
    expect(await store().signingKeys()).toEqual(made.slice(0, 2));
  });
};

const byHash = <T extends { readonly hash: string }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => one.hash.localeCompare(other.hash));
