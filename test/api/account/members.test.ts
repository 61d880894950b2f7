import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rolesOf } from "../../../functions/api/areas.ts";
import { routes } from "../../../functions/api/routes.ts";
import { INVITATION_MS, membersOf } from "../../../functions/domain/accounts/members.ts";
import { NOW } from "../../support/world/records.ts";
import { askForCode, signInAs, type Tab, tabOn } from "../../support/world/tab.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
let owner: Tab;
let accountId: string;

beforeEach(async () => {
  world = makeWorld(NOW);
  owner = tabOn(world);
  accountId = await signInAs(world, owner, "ada@example.com");
});

afterEach(() => world.close());

const codeInMail = (): string => /^ {4}(\S+)$/m.exec(world.mails.at(-1)?.text ?? "")?.[1] ?? "";

const invite = async (email: string, role = "developer") => {
  const { status, body } = await owner.ask("inviteMember", { body: { email, role } });
  expect([status, body.code]).toEqual([201, undefined]);
  return codeInMail();
};

/** Invites the address and accepts in a new tab. */
const joins = async (email: string, role = "developer") => {
  const tab = tabOn(world);
  const { status, body } = await tab.ask("acceptInvitation", { body: { code: await invite(email, role) } });
  expect(status).toBe(201);
  return { tab, id: body.session.member_id as string };
};

const outcome = async (tab: Tab, ...call: Parameters<Tab["ask"]>) => {
  const { status, body } = await tab.ask(...call);
  return status < 300 ? status : [status, body.code];
};

describe("invitations", () => {
  it("are emailed without a link, and sign the invited address in to the account once", async () => {
    const code = await invite("Grace@Example.com");
    const mail = world.mails.at(-1);
    expect([mail?.to, mail?.text.includes("http")]).toEqual(["grace@example.com", false]);
    const tab = tabOn(world);
    const { body } = await tab.ask("acceptInvitation", { body: { code } });
    expect([body.account.id, body.session.email, body.session.role, body.session.by]).toEqual([
      accountId,
      "grace@example.com",
      "developer",
      "invitation",
    ]);
    expect(await outcome(tabOn(world), "acceptInvitation", { body: { code } })).toEqual([422, "invitation_refused"]);
    const { members, invitations } = (await owner.ask("listMembers")).body;
    expect(members.map(({ email, role }: { email: string; role: string }) => [email, role])).toEqual([
      ["ada@example.com", "owner"],
      ["grace@example.com", "developer"],
    ]);
    expect(invitations).toEqual([]);
  });

  it("have a link if the operator has set the public URL", async () => {
    Object.assign(world.context, { publicUrl: "https://files.example.com" });
    const code = await invite("grace@example.com");
    expect(world.mails.at(-1)?.text).toContain(`https://files.example.com/sign-in#invitation=${code}`);
  });

  it("let one of several concurrent requests join", async () => {
    const code = await invite("grace@example.com");
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => outcome(tabOn(world), "acceptInvitation", { body: { code } })),
    );
    expect(replies.filter((reply) => reply === 201)).toHaveLength(1);
    expect(membersOf((await world.context.accounts.getAccount(accountId)) ?? expect.fail())).toHaveLength(2);
  });

  it("expire after seven days, can be withdrawn, and are replaced by a further one", async () => {
    const refused = [422, "invitation_refused"];
    const first = await invite("grace@example.com");
    const second = await invite("grace@example.com", "billing");
    expect(await outcome(tabOn(world), "acceptInvitation", { body: { code: first } })).toEqual(refused);
    const [{ id, role }] = (await owner.ask("listMembers")).body.invitations;
    expect(role).toBe("billing");
    expect(await outcome(owner, "removeMember", { id })).toBe(204);
    expect(await outcome(tabOn(world), "acceptInvitation", { body: { code: second } })).toEqual(refused);
    const late = await invite("grace@example.com");
    world.now += INVITATION_MS;
    expect(await outcome(tabOn(world), "acceptInvitation", { body: { code: late } })).toEqual(refused);
    for (const code of ["", "x".repeat(200), late.replace(/.$/, "_"), `acc_${"0".repeat(22)}.${"0".repeat(43)}`]) {
      expect(await outcome(tabOn(world), "acceptInvitation", { body: { code } })).toEqual(refused);
    }
  });

  it("do not reveal whether the address has an account, and are limited per address", async () => {
    await signInAs(world, tabOn(world), "known@example.com");
    const shape = async (email: string) => {
      const { status, body } = await owner.ask("inviteMember", { body: { email, role: "billing" } });
      return [status, Object.keys(body), body.invitations.length];
    };
    expect(await shape("known@example.com")).toEqual([201, ["members", "invitations"], 1]);
    expect(await shape("unknown@example.com")).toEqual([201, ["members", "invitations"], 2]);
    for (let sent = 1; sent < 5; sent += 1) {
      await invite("known@example.com");
    }
    const more = await outcome(owner, "inviteMember", { body: { email: "known@example.com", role: "billing" } });
    expect(more).toEqual([429, "rate_limited"]);
  });

  it("are not sent to members", async () => {
    await joins("grace@example.com");
    for (const email of ["Ada@example.com", "grace@example.com"]) {
      expect(await outcome(owner, "inviteMember", { body: { email, role: "owner" } })).toEqual([409, "email_taken"]);
    }
  });
});

describe("roles", () => {
  it("decide what a session may call, from one table", async () => {
    const allowed = Object.fromEntries(
      routes.filter(({ auth }) => auth !== "none").map((route) => [route.id, rolesOf(route).join(" ")]),
    );
    expect(allowed).toMatchObject({
      createJob: "owner developer",
      savePreset: "owner developer",
      saveStorage: "owner developer",
      createKey: "owner developer",
      listWebhooks: "owner developer",
      getUsage: "owner developer billing",
      choosePlan: "owner billing",
      openBilling: "owner billing",
      inviteMember: "owner",
      changeMember: "owner",
      changeEmail: "owner",
      deleteAccount: "owner",
      listSessions: "owner developer billing",
    });
  });

  it("are checked in each request, and a change applies to the next one", async () => {
    const { tab, id } = await joins("grace@example.com", "billing");
    const key = { body: { name: "laptop" } };
    expect(await outcome(tab, "createKey", key)).toEqual([403, "forbidden_role"]);
    expect(await outcome(tab, "inviteMember", { body: { email: "b@example.com", role: "owner" } })).toEqual([
      403,
      "forbidden_role",
    ]);
    expect(await outcome(tab, "changeMember", { id, body: { role: "owner" } })).toEqual([403, "forbidden_role"]);
    expect(await outcome(tab, "getAccount")).toBe(200);
    expect(await outcome(owner, "changeMember", { id, body: { role: "developer" } })).toBe(200);
    expect(await outcome(tab, "createKey", key)).toBe(201);
    expect(await outcome(tab, "choosePlan", { body: { plan: "free" } })).toEqual([403, "forbidden_role"]);
    expect(await outcome(tab, "deleteAccount")).toEqual([403, "forbidden_role"]);
    expect(await outcome(owner, "changeMember", { id, body: { role: "owner" } })).toBe(200);
    expect(await outcome(tab, "listMembers")).toBe(200);
  });

  it("always leave an owner, also when two owners remove and demote each other at once", async () => {
    const { tab, id } = await joins("grace@example.com", "owner");
    const own = (await owner.ask("getSession")).body.session.member_id;
    const replies = await Promise.all([
      outcome(tab, "removeMember", { id: own }),
      outcome(tab, "changeMember", { id: own, body: { role: "billing" } }),
      outcome(owner, "removeMember", { id: own }),
      outcome(owner, "changeMember", { id, body: { role: "billing" } }),
      outcome(tab, "removeMember", { id }),
    ]);
    expect(replies.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => [409, "owner_required"]));
    const members = membersOf((await world.context.accounts.getAccount(accountId)) ?? expect.fail());
    expect(members.filter(({ role }) => role === "owner").map(({ email }) => email)).toEqual(["ada@example.com"]);
  });

  it("keep every change of concurrent ones", async () => {
    const addresses = Array.from({ length: 10 }, (_, index) => `m${index}@example.com`);
    const body = (email: string) => ({ body: { email, role: "billing" } });
    const replies = await Promise.all(addresses.map((email) => outcome(owner, "inviteMember", body(email))));
    expect(new Set(replies)).toEqual(new Set([201]));
    const { invitations } = (await owner.ask("listMembers")).body;
    expect(invitations.map(({ email }: { email: string }) => email).sort()).toEqual(addresses);
  });
});

describe("a removed member", () => {
  it("is signed out at once on all devices, and may not come back by code, passkey or old session", async () => {
    const { tab, id } = await joins("grace@example.com");
    const other = tabOn(world);
    await signInAs(world, other, "grace@example.com");
    expect(await outcome(other, "getAccount")).toBe(200);
    expect(await outcome(owner, "removeMember", { id })).toBe(204);
    for (const each of [tab, other]) {
      expect(await outcome(each, "getAccount")).toEqual([401, "missing_session"]);
      expect((await each.ask("getSession")).body.session).toBeNull();
    }
    expect(await world.context.accounts.seatsOf("grace@example.com")).toEqual([]);
    expect(await signInAs(world, tabOn(world), "grace@example.com")).not.toBe(accountId);
  });

  it("is refused by the stored account alone, before the sessions are deleted", async () => {
    const { tab } = await joins("grace@example.com");
    const { accounts } = world.context;
    const team = (await accounts.getAccount(accountId))?.team ?? expect.fail();
    await accounts.setTeam(accountId, { ...team, version: team.version + 1, members: [] }, {});
    expect(await outcome(tab, "getAccount")).toEqual([401, "missing_session"]);
    expect((await tab.ask("getSession")).body.session).toBeNull();
  });

  it("can be the member itself, who leaves", async () => {
    const { tab, id } = await joins("grace@example.com");
    const { id: third } = await joins("carol@example.com", "billing");
    expect(await outcome(tab, "removeMember", { id: third })).toEqual([403, "forbidden_role"]);
    expect(await outcome(tab, "removeMember", { id })).toBe(204);
    expect(await outcome(tab, "getAccount")).toEqual([401, "missing_session"]);
    expect(await outcome(owner, "removeMember", { id })).toEqual([404, "not_found"]);
  });
});

describe("a person with several accounts", () => {
  it("signs in to their own, and switches with a new session that expires like the old one", async () => {
    const home = await signInAs(world, tabOn(world), "grace@example.com");
    await joins("grace@example.com", "billing");
    const tab = tabOn(world);
    expect(await signInAs(world, tab, "grace@example.com")).toBe(home);
    const { accounts } = (await tab.ask("listOwnAccounts")).body;
    expect(accounts).toEqual([
      { id: home, email: "grace@example.com", role: "owner", current: true },
      { id: accountId, email: "ada@example.com", role: "billing", current: false },
    ]);
    const before = new Map(tab.cookies);
    const expiry = (await tab.ask("getSession")).body.session.expires_at;
    world.now += 60_000;
    const { status, body } = await tab.ask("switchAccount", { id: accountId });
    expect([status, body.account.id, body.session.role, body.session.expires_at]).toEqual([
      201,
      accountId,
      "billing",
      expiry,
    ]);
    const old = tabOn(world);
    for (const [name, value] of before) {
      old.cookies.set(name, value);
    }
    expect(await outcome(old, "getAccount")).toEqual([401, "missing_session"]);
    expect(await outcome(tab, "switchAccount", { id: home })).toBe(201);
    const stranger = tabOn(world);
    await signInAs(world, stranger, "eve@example.com");
    expect(await outcome(stranger, "switchAccount", { id: accountId })).toEqual([404, "not_found"]);
  });

  it("keeps the others when the own address changes or the own account is deleted", async () => {
    await signInAs(world, tabOn(world), "grace@example.com");
    await joins("grace@example.com");
    const tab = tabOn(world);
    await signInAs(world, tab, "grace@example.com");
    const body = await askForCode(world, tab, "grace.h@example.com");
    expect(await outcome(tab, "changeEmail", { body })).toBe(200);
    const seats = async () => (await tab.ask("listOwnAccounts")).body.accounts.length;
    expect(await seats()).toBe(2);
    expect(await outcome(tab, "deleteAccount")).toBe(204);
    expect(await signInAs(world, tabOn(world), "grace.h@example.com")).toBe(accountId);
  });

  it("sees only their own devices in an account", async () => {
    const { tab } = await joins("grace@example.com");
    const { sessions } = (await tab.ask("listSessions")).body;
    expect(sessions).toHaveLength(1);
    const [other] = (await owner.ask("listSessions")).body.sessions;
    expect(await outcome(tab, "endSession", { id: other.id })).toEqual([404, "not_found"]);
  });
});

describe("the address and the deletion of an account with members", () => {
  it("change by the account's own address only, and not to that of a member", async () => {
    const { tab } = await joins("grace@example.com", "owner");
    const foreign = await askForCode(world, tab, "grace.h@example.com");
    expect(await outcome(tab, "changeEmail", { body: foreign })).toEqual([409, "owner_required"]);
    const taken = await askForCode(world, owner, "grace@example.com");
    expect(await outcome(owner, "changeEmail", { body: taken })).toEqual([409, "email_taken"]);
    expect(await outcome(owner, "changeEmail", { body: await askForCode(world, owner, "lovelace@example.com") })).toBe(
      200,
    );
    expect((await owner.ask("getSession")).body.session.email).toBe("lovelace@example.com");
  });

  it("delete the seats of all members, whose sessions end", async () => {
    const { tab } = await joins("grace@example.com", "owner");
    expect(await outcome(tab, "deleteAccount")).toBe(204);
    expect(await world.context.accounts.seatsOf("grace@example.com")).toEqual([]);
    for (const each of [tab, owner]) {
      expect(await outcome(each, "listSessions")).toEqual([401, "missing_session"]);
    }
  });
});
