import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionStore } from "../../../functions/domain/account-ports.ts";
import { newId } from "../../../functions/domain/ids.ts";
import type { SigningKey } from "../../../functions/domain/sessions.ts";
import { challengeRecord, passkeyRecord, sessionRecord, signingKeyRecord } from "../../support/people.ts";
import { NOW } from "../../support/records.ts";

export interface SessionStoreHarness {
  readonly sessions: SessionStore;
  close(): Promise<void>;
}

/** What every SessionStore promises. `make` gives an empty store; it is called before each test. */
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
  it("gives a challenge of each kind back with the tries that it has had", async () => {
    const code = challengeRecord();
    const passkey = challengeRecord({ kind: "new_passkey", accountId: "acc_1" });
    await store().addChallenge(code);
    await store().addChallenge(passkey);
    expect(await store().tryChallenge(code.id, 5)).toStrictEqual({ ...code, tries: 1 });
    expect(await store().tryChallenge(code.id, 5)).toStrictEqual({ ...code, tries: 2 });
    expect(await store().tryChallenge(passkey.id, 1)).toStrictEqual({ ...passkey, tries: 1 });
  });

  it("lets a challenge be tried five times of 100 at once, and never again", async () => {
    const { id } = challengeRecord();
    await store().addChallenge(challengeRecord({ id }));
    const tried = await Promise.all(Array.from({ length: 100 }, () => store().tryChallenge(id, 5)));
    expect(tried.flatMap((challenge) => challenge?.tries ?? []).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(await store().tryChallenge(id, 5)).toBeUndefined();
  });

  it("has no challenge that was never added, whatever it is called", async () => {
    for (const id of [challengeRecord().id, "", "acc_1", "signing", "é".repeat(3_000)]) {
      expect(await store().tryChallenge(id, 5)).toBeUndefined();
      expect(await store().endChallenge(id)).toBe(false);
    }
  });

  it("lets one of 20 at once use a challenge up, which nobody can try then", async () => {
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
  it("finds a session by its hash as it was added, and none by another", async () => {
    const session = sessionRecord({ device: "Firefox auf Linux – Köln" });
    await store().addSession(session);
    expect(await store().findSession(session.hash)).toStrictEqual(session);
    expect(await store().findSession(sessionRecord().hash)).toBeUndefined();
  });

  it("lists the sessions of an account, and of no other", async () => {
    const accountId = newId("account", NOW, randomBytes);
    const own = [sessionRecord({ accountId }), sessionRecord({ accountId })];
    for (const session of [...own, sessionRecord()]) {
      await store().addSession(session);
    }
    expect(byHash(await store().sessionsOf(accountId))).toEqual(byHash(own));
    expect(await store().sessionsOf(newId("account", NOW, randomBytes))).toEqual([]);
  });

  it("notes when a session was used, and never an earlier time", async () => {
    const session = sessionRecord();
    await store().addSession(session);
    await store().noteSession(session.hash, NOW + 3_600_000);
    await store().noteSession(session.hash, NOW + 1);
    expect(await store().findSession(session.hash)).toStrictEqual({ ...session, lastUsedAt: NOW + 3_600_000 });
  });

  it("ends a session at once, and no other", async () => {
    const [ended, other] = [sessionRecord(), sessionRecord()];
    await store().addSession(ended);
    await store().addSession(other);
    await store().endSession(ended.hash);
    expect(await store().findSession(ended.hash)).toBeUndefined();
    expect(await store().findSession(other.hash)).toStrictEqual(other);
    expect(await store().sessionsOf(ended.accountId)).toEqual([]);
  });

  it("neither ends nor notes one that is not there, and adds none by it", async () => {
    const { hash } = sessionRecord();
    await store().endSession(hash);
    await store().noteSession(hash, NOW);
    expect(await store().findSession(hash)).toBeUndefined();
  });
};

const describePasskeys = (store: () => SessionStore): void => {
  it("finds a passkey by its id as it was added, however long the id is", async () => {
    const [short, long] = [passkeyRecord(), passkeyRecord({ id: randomBytes(1_023).toString("base64url") })];
    for (const passkey of [short, long]) {
      expect(await store().addPasskey(passkey)).toBe(true);
      expect(await store().findPasskey(passkey.id)).toStrictEqual(passkey);
    }
    expect(await store().findPasskey(passkeyRecord().id)).toBeUndefined();
  });

  it("adds one of 20 at once with the same id, and keeps it", async () => {
    const passkey = passkeyRecord();
    const others = Array.from({ length: 20 }, () => passkeyRecord({ id: passkey.id }));
    const added = await Promise.all(others.map((each) => store().addPasskey(each)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await store().findPasskey(passkey.id)).toStrictEqual(others[added.indexOf(true)]);
  });

  it("lists the passkeys of an account and of no other, and removes one", async () => {
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

  it("takes a use from one of 20 at once that saw the same counter, so that a copy is told", async () => {
    const passkey = passkeyRecord({ counter: 7 });
    await store().addPasskey(passkey);
    const uses = Array.from({ length: 20 }, () => store().usePasskey(passkey.id, { from: 7, to: 8 }, NOW + 5));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    expect(await store().findPasskey(passkey.id)).toStrictEqual({ ...passkey, counter: 8, lastUsedAt: NOW + 5 });
    expect(await store().usePasskey(passkeyRecord().id, { from: 0, to: 1 }, NOW)).toBe(false);
  });

  it("takes each use of a passkey that does not count", async () => {
    const passkey = passkeyRecord({ counter: 0 });
    await store().addPasskey(passkey);
    expect(await store().usePasskey(passkey.id, { from: 0, to: 0 }, NOW + 1)).toBe(true);
    expect(await store().usePasskey(passkey.id, { from: 0, to: 0 }, NOW + 2)).toBe(true);
    expect(await store().findPasskey(passkey.id)).toMatchObject({ counter: 0, lastUsedAt: NOW + 2 });
  });
};

const describeSigningKeys = (store: () => SessionStore): void => {
  const bounds = { after: NOW - 1_000, endedAt: NOW - 2_000 };

  it("has no keys at first, and then the one that was added", async () => {
    expect(await store().signingKeys()).toEqual([]);
    const key = signingKeyRecord();
    expect(await store().rotateSigningKeys(key, bounds)).toEqual([key]);
    expect(await store().signingKeys()).toEqual([key]);
  });

  it("adds one key when 20 would rotate at once, and tells it to all of them", async () => {
    const keys = Array.from({ length: 20 }, () => signingKeyRecord());
    const rotated = await Promise.all(keys.map((key) => store().rotateSigningKeys(key, bounds)));
    const [kept, ...others] = await store().signingKeys();
    expect(others).toEqual([]);
    expect(rotated.every((all) => all.length === 1 && all[0]?.id === kept?.id)).toBe(true);
  });

  it("adds none while one is younger, lets the old ones hold on, the newest first, and has the oldest go", async () => {
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
