import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parsed, planOf } from "../../../local/accounts/account-arguments.ts";
import { memberCommands } from "../../../local/accounts/member-commands.ts";
import { accountRecord, NOW } from "../../support/world/records.ts";
import { signInAs, tabOn } from "../../support/world/tab.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
const account = accountRecord({ email: "ada@example.com" });

beforeEach(async () => {
  world = makeWorld(NOW);
  await world.context.accounts.createAccount(account);
});

afterEach(() => world.close());

const run = (name: keyof typeof memberCommands, ...args: string[]) =>
  memberCommands[name](world.context, parsed(["--account", account.id, ...args]).values);

describe("the member commands", () => {
  it("add, list and remove a member, who is signed out", async () => {
    await run("add-member", "--email", "Grace@example.com", "--role", "billing");
    const tab = tabOn(world);
    expect(await signInAs(world, tab, "grace@example.com")).toBe(account.id);
    expect(await run("members")).toMatchObject([
      { email: "ada@example.com", role: "owner", state: "member" },
      { email: "grace@example.com", role: "billing", state: "member" },
    ]);
    expect(await run("remove-member", "--email", "grace@example.com")).toMatchObject({ removed: true });
    expect((await tab.ask("getAccount")).status).toBe(401);
  });

  it("replace the account's own address by that of a member, and sign out the former owner", async () => {
    const tab = tabOn(world);
    expect(await signInAs(world, tab, "ada@example.com")).toBe(account.id);
    await run("add-member", "--email", "grace@example.com", "--role", "owner");
    expect(await run("set-email", "--email", "grace@example.com")).toMatchObject({ former_email: "ada@example.com" });
    expect((await tab.ask("getAccount")).status).toBe(401);
    expect(await run("members")).toMatchObject([{ email: "grace@example.com", role: "owner", state: "member" }]);
    expect(await signInAs(world, tabOn(world), "grace@example.com")).toBe(account.id);
    expect(await signInAs(world, tabOn(world), "ada@example.com")).not.toBe(account.id);
    await expect(run("set-email", "--email", "ADA@example.com")).rejects.toThrow("is the address of account");
  });

  it("reject unknown roles, members twice, and the removal of strangers and of the account's own address", async () => {
    await expect(run("add-member", "--email", "g@example.com", "--role", "admin")).rejects.toThrow(
      "Unknown role admin",
    );
    await expect(run("add-member", "--email", "ada@example.com", "--role", "owner")).rejects.toThrow("already is");
    await expect(run("remove-member", "--email", "g@example.com")).rejects.toThrow("is not a member");
    await expect(run("remove-member", "--email", "ada@example.com")).rejects.toThrow("always is an owner");
  });
});

describe("the unlimited plan", () => {
  it("has no quota", () => {
    expect(planOf(parsed(["--plan", "unlimited"]).values)).toEqual({ plan: "unlimited", quota: undefined });
    expect(() => planOf(parsed(["--plan", "unlimited", "--quota", "5"]).values)).toThrow("Omit --quota");
  });
});
