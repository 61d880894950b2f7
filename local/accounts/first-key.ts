import { access } from "node:fs/promises";
import { join } from "node:path";
import { issueKey, openAccount } from "../../functions/domain/accounts/account.ts";
import type { LocalContext } from "../context.ts";
import { writeSecretFile } from "../files/folder-sync.ts";

/** The address of the account of the machine's owner. No mail is sent to it. */
export const OWNER_EMAIL = "owner@localhost";

type Machine = Pick<LocalContext, "accounts" | "clock" | "dataDir" | "random">;

/** Monthly requests of the accounts that earlier releases created for the owner. */
const FORMER_REQUESTS_PER_MONTH = 1_000_000;

/**
 * Creates an account and a key for the owner of the machine at the first start. The account is unlimited, also if an
 * earlier release created it with a quota that the operator has not changed.
 * @returns the path of the key file, readable only by the owner; the file may be missing after the first start
 */
export const firstKey = async (context: Machine): Promise<string> => {
  const path = join(context.dataDir, "api-key");
  await liftFormerQuota(context);
  if ((await exists(path)) || !(await isEmpty(context.accounts.listAccounts()))) {
    return path;
  }
  const owner = { email: OWNER_EMAIL, plan: "unlimited", quota: undefined, planPicked: true } as const;
  const account = await openAccount(context, owner);
  if (account !== undefined) {
    const { key } = await issueKey(context, { accountId: account.id, name: "first key" });
    writeSecretFile(path, Buffer.from(`${key}\n`));
  }
  return path;
};

const liftFormerQuota = async ({ accounts }: Machine): Promise<void> => {
  const owner = await accounts.findByEmail(OWNER_EMAIL);
  if (owner?.plan === "enterprise" && owner.quota === FORMER_REQUESTS_PER_MONTH) {
    await accounts.setPlan(owner.id, "unlimited", undefined);
    await accounts.change(owner.id, { planPicked: true });
  }
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
