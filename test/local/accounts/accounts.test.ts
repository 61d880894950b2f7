import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isApiKey } from "../../../functions/domain/accounts/keys.ts";
import type { PlanId } from "../../../functions/domain/accounts/plans.ts";
import { sqliteAccounts } from "../../../local/sqlite/accounts.ts";
import { openDatabase } from "../../../local/sqlite/database.ts";
import { accountsCommand, type NewAccount } from "../../support/services/local-service.ts";
import { type Operator, startOperator } from "../../support/services/operator.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { NOW } from "../../support/world/records.ts";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);

let folder: TemporaryFolder;
let operator: Operator | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await operator?.stop();
  operator = undefined;
  folder.remove();
});

/** Runs the command in a process that all commands of a test share. */
const command = <Result>(...args: string[]): Promise<Result> => {
  operator ??= startOperator("local", { DATA_DIR: folder.path });
  return operator.accounts<Result>(args);
};

/** @returns the error of a failing command */
const errorOf = (...args: string[]): Promise<string> =>
  command(...args).then(
    () => "",
    (error: Error) => error.message,
  );

/** Runs the program itself. @returns the output and exit code of a failing command */
const refusal = async (...args: string[]): Promise<{ code: number; stderr: string }> => {
  const words = ["--conditions=anyform-local", "local/accounts.ts", ...args];
  return run(process.execPath, words, { cwd: root, env: { ...process.env, DATA_DIR: folder.path } }).then(
    () => ({ code: 0, stderr: "" }),
    (error: { code: number; stderr: string }) => error,
  );
};

describe("the accounts command", () => {
  it("creates an account and its first key, and prints nothing else", async () => {
    const args = ["create", "--email", "a@example.com", "--plan", "free"];
    const account = await accountsCommand<NewAccount>(args, { DATA_DIR: folder.path });
    expect(Object.keys(account)).toEqual(["account_id", "api_key"]);
    expect(account.account_id).toMatch(/^acc_/);
    expect(isApiKey(account.api_key)).toBe(true);
  });

  it("lists accounts with plan and usage, changes a plan, and creates, lists and revokes keys", async () => {
    const { account_id } = await command<NewAccount>("create", "--email", "a@example.com", "--plan", "api");
    expect(await command("list")).toEqual([
      {
        account_id,
        email: "a@example.com",
        plan: "api",
        requests_per_month: 5_000,
        used: 0,
        requested_plan: null,
        billing: null,
      },
    ]);
    const unlimited = await command("set-plan", "--account", account_id, "--plan", "unlimited");
    expect(unlimited).toMatchObject({ requests_per_month: null });
    const plan = ["--plan", "enterprise", "--quota", "70000"];
    expect(await command("set-plan", "--account", account_id, ...plan)).toMatchObject({ requests_per_month: 70_000 });
    const { key_id } = await command<{ key_id: string }>("create-key", "--account", account_id, "--name", "laptop");
    await command("revoke-key", "--account", account_id, "--key", key_id);
    const keys = await command<{ key_id: string; name: string; revoked_at: string | null }[]>(
      "keys",
      "--account",
      account_id,
    );
    expect(keys.map(({ name, revoked_at }) => [name, revoked_at === null]).sort()).toEqual([
      ["default", true],
      ["laptop", false],
    ]);
    expect(await command("usage", "--account", account_id, "--month", "2026-11")).toEqual({
      account_id,
      month: "2026-11",
      used: 0,
      requests_per_month: 70_000,
    });
  });

  it.each([
    [["create", "--email", "a@example.com", "--plan", "gold"], "Unknown plan gold"],
    [["create", "--email", "nobody", "--plan", "free"], "nobody is not a valid email address"],
    [["create", "--email", "a@example.com", "--plan", "enterprise"], "Set --quota"],
    [["create", "--email", "a@example.com", "--plan", "free", "--quota", "many"], "not many"],
    [["create-key", "--account", "acc_none"], "Account acc_none not found"],
    [["usage", "--account", "acc_none"], "Account acc_none not found"],
    [["list", "--target", "moon"], "--target must be local or aws"],
    [["list", "--colour", "red"], "--colour"],
    [["dance"], "npm run accounts"],
  ])("reports the error in %j and exits with code 1", async (args, words) => {
    const { code, stderr } = await refusal(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });

  it("creates a scoped test key, and lists the scopes of each key", async () => {
    const { account_id } = await command<NewAccount>("create", "--email", "a@example.com", "--plan", "free");
    const made = await command<{ api_key: string }>(
      ...["create-key", "--account", account_id, "--name", "robot", "--scopes", "upload,read", "--test"],
    );
    expect(made.api_key).toMatch(/^af_test_/);
    const keys = await command<{ name: string; prefix: string; scopes: string[] }[]>("keys", "--account", account_id);
    expect(keys.map(({ name, scopes }) => [name, scopes]).sort()).toEqual([
      ["default", ["upload", "convert", "read", "download", "webhooks", "storages"]],
      ["robot", ["upload", "read"]],
    ]);
    expect(await errorOf("create-key", "--account", account_id, "--scopes", "read,write")).toBe(
      "--scopes must be a list of upload, convert, read, download, webhooks, storages, not read,write.",
    );
  });

  it("sets the retention of files, and rejects values that are not a number of hours", async () => {
    const { account_id } = await command<NewAccount>("create", "--email", "a@example.com", "--plan", "free");
    const set = (hours: string) => ["set-retention", "--account", account_id, "--hours", hours];
    expect(await command(...set("0"))).toEqual({ account_id, retention_hours: 0 });
    expect(await errorOf(...set("25"))).toContain("an integer from 0 to 24, not 25");
    expect(await errorOf("set-retention", "--account", account_id)).toContain("Missing option --hours");
  });

  describe("for requested plans", () => {
    const asked = async (plan: PlanId) => {
      const { account_id } = await command<NewAccount>("create", "--email", "a@example.com", "--plan", "free");
      const database = openDatabase(folder.path);
      await sqliteAccounts(database).change(account_id, { request: { plan, at: NOW, note: "please" } });
      database.close();
      return account_id;
    };

    it("lists requests and grants a plan", async () => {
      const account_id = await asked("api");
      expect(await command("requests")).toEqual([
        {
          account_id,
          email: "a@example.com",
          plan: "free",
          requested_plan: "api",
          requested_at: new Date(NOW).toISOString(),
          note: "please",
        },
      ]);
      expect(await command("list")).toMatchObject([{ plan: "free", requested_plan: "api" }]);
      expect(await command("approve", "--account", account_id)).toEqual({
        account_id,
        plan: "api",
        requests_per_month: 5_000,
      });
      expect(await command("requests")).toEqual([]);
      expect(await errorOf("approve", "--account", account_id)).toContain("has not requested a plan");
    });

    it("requires a quota for an enterprise plan, and sets it", async () => {
      const account_id = await asked("enterprise");
      expect(await errorOf("approve", "--account", account_id)).toContain("Set --quota");
      expect(await command("approve", "--account", account_id, "--quota", "200000")).toMatchObject({
        plan: "enterprise",
        requests_per_month: 200_000,
      });
    });

    it("declines a request, which does not change the plan", async () => {
      const account_id = await asked("api");
      expect(await command("refuse", "--account", account_id)).toEqual({
        account_id,
        plan: "free",
        refused_plan: "api",
      });
      expect(await command("list")).toMatchObject([{ plan: "free", requested_plan: null }]);
    });

    it("resolves a request by setting that plan, but not by setting another", async () => {
      const account_id = await asked("api");
      await command("set-plan", "--account", account_id, "--plan", "free");
      expect(await command("list")).toMatchObject([{ plan: "free", requested_plan: "api" }]);
      await command("set-plan", "--account", account_id, "--plan", "api");
      expect(await command("list")).toMatchObject([{ plan: "api", requested_plan: null }]);
    });
  });

  it("rejects a second account with the same email address, case-insensitively", async () => {
    await command("create", "--email", "a@example.com", "--plan", "free");
    const { code, stderr } = await refusal("create", "--email", "A@Example.com", "--plan", "free");
    expect([code, stderr.trim()]).toEqual([1, "An account with the email address A@Example.com already exists."]);
  });
});
