import { access } from "node:fs/promises";
import { join } from "node:path";
import { issueKey, openAccount } from "../../functions/domain/accounts/account.ts";
import type { LocalContext } from "../context.ts";
import { writeSecretFile } from "../files/folder-sync.ts";

/** The address of the account of the machine's owner. No mail is sent to it. */
export const OWNER_EMAIL = "owner@localhost";

/** Monthly requests of the account that is created at the first start, for the owner of the machine. */
const OWNER_REQUESTS_PER_MONTH = 1_000_000;

/**
 * Creates an account and a key for the owner of the machine at the first start.
 * @returns the path of the key file, readable only by the owner; the file may be missing after the first start
 */
export const firstKey = async (context: LocalContext): Promise<string> => {
  const path = join(context.dataDir, "api-key");
  if ((await exists(path)) || !(await isEmpty(context.accounts.listAccounts()))) {
    return path;
  }
  const account = await openAccount(context, {
    email: OWNER_EMAIL,
    plan: "enterprise",
    quota: OWNER_REQUESTS_PER_MONTH,
  });
  if (account !== undefined) {
    const { key } = await issueKey(context, { accountId: account.id, name: "first key" });
    writeSecretFile(path, Buffer.from(`${key}\n`));
  }
  return path;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const isEmpty = async (items: AsyncIterable<unknown>): Promise<boolean> => {
  for await (const _ of items) {
    return false;
  }
  return true;
};
