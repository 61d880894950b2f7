import { join } from "node:path";
import type { ApiClient } from "../../support/client.ts";
import type { NewAccount } from "../../support/local-service.ts";

/** Somewhere that the service runs. The suite is written once and holds for each. */
export interface Target {
  readonly name: string;
  /** A client with the key of an account that has requests enough for the whole suite. */
  readonly client: ApiClient;
  readonly account: NewAccount;
  /** Runs the operator's command for accounts against this target. */
  accounts<Result>(args: string[]): Promise<Result>;
  /** Bytes that a multipart upload may have. */
  readonly uploadBytesMax: number;
  /** Requests that are sent at once to prove that the quota is exact. */
  readonly burst: number;
}

/** @returns the path of a fixture */
export const fixture = (name: string): string => join(import.meta.dirname, "../../fixtures", name);

/** @returns a client with a new account of its own */
export const newAccount = async (target: Target, quota: number): Promise<NewAccount & { client: ApiClient }> => {
  const email = `test-${crypto.randomUUID()}@example.com`;
  const args = ["create", "--email", email, "--plan", "enterprise", "--quota", String(quota)];
  const account = await target.accounts<NewAccount>(args);
  return { ...account, client: target.client.withKey(account.api_key) };
};
