import { join } from "node:path";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { ApiClient, Call, Reply } from "../../support/client.ts";
import type { NewAccount } from "../../support/local-service.ts";

/** Somewhere that the service runs. The suite is written once and holds for each. */
export interface Target {
  readonly name: string;
  /** A client with the key of an account that has requests enough for the whole suite. */
  readonly client: ApiClient;
  readonly account: NewAccount;
  /** Runs the operator's command for accounts against this target. */
  accounts<Result>(args: string[]): Promise<Result>;
  /** Signs a browser in to the account. @returns the headers that its pages send */
  signIn(accountId: string): Promise<Record<string, string>>;
  /** @returns the code of the message that was sent to the address last */
  codeFor(email: string): Promise<string>;
  /** Bytes that a multipart upload may have. */
  readonly uploadBytesMax: number;
  /** Requests that are sent at once to prove that the quota is exact. */
  readonly burst: number;
  /** Whether a body reaches the service while it is still being sent. */
  readonly streams: boolean;
  /** Whether the service connects to servers that the tests run. */
  readonly reachesTests: boolean;
}

/** @returns the path of a fixture */
export const fixture = (name: string): string => join(import.meta.dirname, "../../fixtures", name);

export type AccountClient = NewAccount & { readonly client: ApiClient };

/** @returns a client with a new account of its own, which may make any number of requests a second */
export const newAccount = (target: Target, quota: number): Promise<AccountClient> =>
  accountOn(target, ["--plan", "enterprise", "--quota", String(quota)]);

/** @returns a client with a new account on this plan */
export const accountOn = async (target: Target, plan: readonly string[]): Promise<AccountClient> => {
  const email = `test-${crypto.randomUUID()}@example.com`;
  const account = await target.accounts<NewAccount>(["create", "--email", email, ...plan]);
  return { ...account, client: target.client.withKey(account.api_key) };
};

/** Sends requests as the dashboard does: by a session, without a key. */
export type PageCall = <Body>(
  path: string,
  call?: Pick<Call, "method"> & { readonly json?: unknown },
) => Promise<Reply<Body>>;

/** @returns how the pages of the account's owner ask */
export const pagesOf = async (target: Target, { account_id }: Pick<NewAccount, "account_id">): Promise<PageCall> => {
  const signedIn = await target.signIn(account_id);
  const client = target.client.withKey(undefined);
  return (path, { method = "GET", json } = {}) => {
    const body = json !== undefined && { body: JSON.stringify(json) };
    return client.call(path, { method, headers: { ...signedIn, "content-type": "application/json" }, ...body });
  };
};

/** @returns a client with a further key of the account */
export const keyOf = async (
  target: Target,
  { account_id }: Pick<NewAccount, "account_id">,
  args: readonly string[],
): Promise<ApiClient> => {
  const { api_key } = await target.accounts<{ api_key: string }>(["create-key", "--account", account_id, ...args]);
  return target.client.withKey(api_key);
};

/** @returns the requests of the account that were counted this month */
export const usedBy = async (target: Target, { account_id }: Pick<NewAccount, "account_id">): Promise<number> =>
  (await target.accounts<{ used: number }>(["usage", "--account", account_id])).used;

/** Waits for a job's end, whatever it is. */
export const endOf = async (client: ApiClient, id: string): Promise<JobView> => {
  for (let tries = 0; tries < 10; tries += 1) {
    const { body } = await client.call<JobView>(`/api/v1/convert/${id}/status?wait=25`);
    if (body.status !== "queued" && body.status !== "processing") {
      return body;
    }
  }
  throw new Error(`The job ${id} did not end.`);
};
