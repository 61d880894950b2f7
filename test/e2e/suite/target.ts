import { join } from "node:path";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { ApiClient, Call, Reply } from "../../support/services/client.ts";
import type { TestProvider } from "../../support/services/identity-provider.ts";
import type { NewAccount } from "../../support/services/local-service.ts";

/** A running service. The same suite runs on every target. */
export interface Target {
  readonly name: string;
  /** A client with the key of an account that has enough requests for the complete suite. */
  readonly client: ApiClient;
  readonly account: NewAccount;
  /** Runs the accounts command against this target. */
  accounts<Result>(args: string[]): Promise<Result>;
  /** Signs a browser in to the account. @returns the headers that its pages send */
  signIn(accountId: string): Promise<Record<string, string>>;
  /** @returns the code in the latest message to the address */
  codeFor(email: string): Promise<string>;
  /** @returns the code in the latest invitation to the address */
  invitationFor(email: string): Promise<string>;
  /** The identity provider of the service. @default none */
  readonly identity?: TestProvider;
  /** Maximum bytes of a multipart upload. */
  readonly uploadBytesMax: number;
  /** Number of concurrent requests in the test of the exact quota. */
  readonly burst: number;
  /** Whether a body reaches the service while it is still being sent. */
  readonly streams: boolean;
  /** Whether the service connects to servers that the tests run. */
  readonly reachesTests: boolean;
}

/** @returns the path of a fixture */
export const fixture = (name: string): string => join(import.meta.dirname, "../../fixtures", name);

export type AccountClient = NewAccount & { readonly client: ApiClient };

/** @returns a client with a new account without a rate limit */
export const newAccount = (target: Target, quota: number): Promise<AccountClient> =>
  accountOn(target, ["--plan", "enterprise", "--quota", String(quota)]);

/** @returns a client with a new account on this plan */
export const accountOn = async (target: Target, plan: readonly string[]): Promise<AccountClient> => {
  const email = `test-${crypto.randomUUID()}@example.com`;
  const account = await target.accounts<NewAccount>(["create", "--email", email, ...plan]);
  return { ...account, client: target.client.withKey(account.api_key) };
};

/** Sends requests like the dashboard: with a session, without a key. */
export type PageCall = <Body>(
  path: string,
  call?: Pick<Call, "method"> & { readonly json?: unknown },
) => Promise<Reply<Body>>;

/** @returns a function that sends requests with a session of the account's owner */
export const pagesOf = async (target: Target, { account_id }: Pick<NewAccount, "account_id">): Promise<PageCall> => {
  const signedIn = await target.signIn(account_id);
  const client = target.client.withKey(undefined);
  return (path, { method = "GET", json } = {}) => {
    const body = json !== undefined && { body: JSON.stringify(json) };
    return client.call(path, { method, headers: { ...signedIn, "content-type": "application/json" }, ...body });
  };
};

/** @returns a client with another key of the account */
export const keyOf = async (
  target: Target,
  { account_id }: Pick<NewAccount, "account_id">,
  args: readonly string[],
): Promise<ApiClient> => {
  const { api_key } = await target.accounts<{ api_key: string }>(["create-key", "--account", account_id, ...args]);
  return target.client.withKey(api_key);
};

/** @returns the account's counted requests of this month */
export const usedBy = async (target: Target, { account_id }: Pick<NewAccount, "account_id">): Promise<number> =>
  (await target.accounts<{ used: number }>(["usage", "--account", account_id])).used;

/** Waits for the end of a job, whatever its outcome. */
export const endOf = async (client: ApiClient, id: string): Promise<JobView> => {
  for (let tries = 0; tries < 10; tries += 1) {
    const { body } = await client.call<JobView>(`/api/v1/convert/${id}/status?wait=25`);
    if (body.status !== "queued" && body.status !== "processing") {
      return body;
    }
  }
  throw new Error(`The job ${id} did not end.`);
};

/** A member of the target's account who is signed in. */
export interface SignedInMember {
  readonly id: string;
  readonly email: string;
  /** What the pages of the member send. */
  readonly headers: Record<string, string>;
  /** The member with the account's own address. */
  readonly founderId: string;
}

/** Adds a member with this role, who signs in with a code. */
export const memberOn = async (
  target: Target,
  role: string,
  { account_id } = target.account,
): Promise<SignedInMember> => {
  const email = `member-${crypto.randomUUID()}@example.com`;
  const account = ["--account", account_id, "--email", email];
  const { member_id } = await target.accounts<{ member_id: string }>(["add-member", ...account, "--role", role]);
  const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const client = target.client.withKey(undefined);
  const post = (path: string, body: object) =>
    client.call<{ challenge_id: string }>(path, { method: "POST", headers, body: JSON.stringify(body) });
  const { challenge_id } = (await post("/api/v1/session/code", { email })).body;
  const signedIn = await post("/api/v1/session", { challenge_id, code: await target.codeFor(email) });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { id: member_id, email, headers: { ...headers, cookie }, founderId: account_id.replace("acc_", "mem_") };
};
