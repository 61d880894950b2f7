import { expect, it } from "vitest";
import type { AccountStore } from "../../../functions/domain/accounts/account-ports.ts";
import type { Member, Team } from "../../../functions/domain/accounts/members.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";

/** The members of accounts: a part of the contract of every AccountStore. */
export const describeTeams = (store: () => AccountStore): void => {
  it("changes the members with the lists of accounts of their addresses, in any case", async () => {
    const [one, other] = [accountRecord(), accountRecord()];
    const address = "Grace@Example.com";
    for (const account of [one, other]) {
      await store().createAccount(account);
      expect(await store().setTeam(account.id, teamOf(1, [memberOf("grace@example.com")]), { added: [address] })).toBe(
        true,
      );
    }
    expect(await store().seatsOf(address.toLowerCase())).toEqual([one.id, other.id].sort());
    expect(await store().getAccount(one.id)).toEqual({ ...one, team: teamOf(1, [memberOf("grace@example.com")]) });
    expect(await store().setTeam(one.id, teamOf(2, []), { removed: [address] })).toBe(true);
    expect(await store().seatsOf(address)).toEqual([other.id]);
    expect(await store().setTeam(other.id, teamOf(2, []), { removed: [address] })).toBe(true);
    expect(await store().seatsOf(address)).toEqual([]);
    expect(await store().setTeam(other.id, teamOf(3, [memberOf("a@example.com")]), { added: ["a@example.com"] })).toBe(
      true,
    );
    expect(await store().findByEmail("a@example.com")).toBeUndefined();
  });

  it("lets one of several concurrent changes of a version succeed, and changes nothing otherwise", async () => {
    const account = accountRecord();
    await store().createAccount(account);
    for (const version of [1, 2]) {
      const addresses = Array.from({ length: 6 }, (_, index) => `m${index}-${version}@example.com`);
      const changes = await Promise.all(
        addresses.map((email) => store().setTeam(account.id, teamOf(version, [memberOf(email)]), { added: [email] })),
      );
      expect(changes.filter(Boolean)).toHaveLength(1);
      const winner = addresses[changes.indexOf(true)] ?? "";
      expect((await store().getAccount(account.id))?.team?.members.map(({ email }) => email)).toEqual([winner]);
      const seats = await Promise.all(addresses.map((email) => store().seatsOf(email)));
      expect(seats.flat()).toEqual([account.id]);
    }
    expect(await store().setTeam(account.id, teamOf(9, []), {})).toBe(false);
    expect(await store().setTeam(accountRecord().id, teamOf(1, []), { added: ["x@example.com"] })).toBe(false);
    expect(await store().seatsOf("x@example.com")).toEqual([]);
  });

  it("keeps the members when other properties change, adds those of a new account, and erases them with it", async () => {
    const account = accountRecord({ team: teamOf(7, [memberOf("grace@example.com")]) });
    await store().createAccount(account);
    expect(await store().seatsOf("grace@example.com")).toEqual([account.id]);
    await store().change(account.id, { retentionHours: 3 });
    expect(await store().getAccount(account.id)).toEqual({ ...account, retentionHours: 3 });
    await store().erase(account.id);
    expect(await store().seatsOf("grace@example.com")).toEqual([]);
  });
};

const teamOf = (version: number, members: readonly Member[]): Team => ({ version, members, invitations: [] });

const memberOf = (email: string): Member => ({
  id: `mem_${email.replace(/\W/g, "").padEnd(22, "0")}`,
  email,
  role: "developer",
  joinedAt: NOW,
});
