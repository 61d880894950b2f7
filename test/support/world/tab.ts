import { randomBytes } from "node:crypto";
import { changeEmail } from "../../../functions/api/account/change-email.ts";
import { deleteAccount } from "../../../functions/api/account/delete-account.ts";
import { getAccount } from "../../../functions/api/account/get-account.ts";
import { choosePlan } from "../../../functions/api/billing/choose-plan.ts";
import { serveOn } from "../../../functions/api/http.ts";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { listJobs } from "../../../functions/api/jobs/list-jobs.ts";
import { createKey } from "../../../functions/api/keys/create-key.ts";
import { acceptInvitation } from "../../../functions/api/members/accept-invitation.ts";
import { changeMember } from "../../../functions/api/members/change-member.ts";
import { inviteMember } from "../../../functions/api/members/invite-member.ts";
import { listMembers } from "../../../functions/api/members/list-members.ts";
import { listOwnAccounts } from "../../../functions/api/members/list-own-accounts.ts";
import { removeMember } from "../../../functions/api/members/remove-member.ts";
import { switchAccount } from "../../../functions/api/members/switch-account.ts";
import type { AnyOperation } from "../../../functions/api/operation.ts";
import { createPasskey } from "../../../functions/api/passkeys/create-passkey.ts";
import { createPasskeySession } from "../../../functions/api/passkeys/create-passkey-session.ts";
import { deletePasskey } from "../../../functions/api/passkeys/delete-passkey.ts";
import { listPasskeys } from "../../../functions/api/passkeys/list-passkeys.ts";
import { startPasskey } from "../../../functions/api/passkeys/start-passkey.ts";
import { startPasskeySignIn } from "../../../functions/api/passkeys/start-passkey-sign-in.ts";
import type { ApiEvent } from "../../../functions/api/request.ts";
import { createOidcSession } from "../../../functions/api/sign-in/create-oidc-session.ts";
import { createSession } from "../../../functions/api/sign-in/create-session.ts";
import { createSignInCode } from "../../../functions/api/sign-in/create-sign-in-code.ts";
import { createVisitorSession } from "../../../functions/api/sign-in/create-visitor-session.ts";
import { deleteSession } from "../../../functions/api/sign-in/delete-session.ts";
import { endSession } from "../../../functions/api/sign-in/end-session.ts";
import { getSession } from "../../../functions/api/sign-in/get-session.ts";
import { listSessions } from "../../../functions/api/sign-in/list-sessions.ts";
import { startOidcSignIn } from "../../../functions/api/sign-in/start-oidc-sign-in.ts";
import { createUpload } from "../../../functions/api/uploads/create-upload.ts";
import { challengeSchema } from "../../../functions/domain/sessions/session-views.ts";
import { logger } from "../../../functions/logger.ts";
import type { World } from "./world.ts";

/** A browser tab as the API sees it: it keeps cookies and sends the origin of its page. */

// The logs of a thousand requests would hide the test output; the test of the logger turns them on.
logger.setLogLevel("SILENT");

/** The operations that tabs call, with all middleware. */
const operations = {
  acceptInvitation,
  changeEmail,
  changeMember,
  choosePlan,
  createJob,
  createKey,
  deleteAccount,
  inviteMember,
  listMembers,
  listOwnAccounts,
  removeMember,
  switchAccount,
  createOidcSession,
  createPasskey,
  createPasskeySession,
  createSession,
  createSignInCode,
  createUpload,
  createVisitorSession,
  deletePasskey,
  deleteSession,
  endSession,
  getAccount,
  getSession,
  listJobs,
  listPasskeys,
  listSessions,
  startOidcSignIn,
  startPasskey,
  startPasskeySignIn,
} as const satisfies Readonly<Record<string, AnyOperation>>;

export type Asked = keyof typeof operations;

interface Call {
  readonly body?: unknown;
  /** The `id` in the path. */
  readonly id?: string;
  /** Names in lower case; undefined removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TabReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly body: any;
}

export interface Tab {
  readonly cookies: Map<string, string>;
  ask(operation: Asked, call?: Call): Promise<TabReply>;
}

interface Place {
  /** The origin of the service in the browser. @default https://anyform.test */
  readonly origin?: string;
  /** @default 192.0.2.1 */
  readonly ip?: string;
}

export const ORIGIN = "https://anyform.test";

export const tabOn = (world: World, { origin = ORIGIN, ip = "192.0.2.1" }: Place = {}): Tab => {
  const serve = serveOn(() => world.context);
  const cookies = new Map<string, string>();
  return {
    cookies,
    ask: async (operation, call = {}) => {
      const event = eventOf(operation, call, { origin, ip, cookies });
      const result = await serve(operations[operation])(event, {} as never);
      const { statusCode = 0, body, cookies: [cookie] = [] } = result;
      keepCookie(cookies, cookie ?? "");
      const headers = { ...result.headers, ...(cookie !== undefined && { "set-cookie": cookie }) };
      return { status: statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
    },
  };
};

const eventOf = (
  operation: Asked,
  { body, id = "", headers = {} }: Call,
  { origin, ip, cookies }: Required<Place> & { readonly cookies: ReadonlyMap<string, string> },
): ApiEvent => {
  const { methods, path } = operations[operation];
  const { host, protocol } = new URL(origin);
  const rawPath = path.replace("{id}", encodeURIComponent(id));
  const all = {
    "content-type": "application/json",
    "sec-fetch-site": "same-origin",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "x-forwarded-proto": protocol.slice(0, -1),
    ...headers,
  };
  return {
    rawPath,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    ...(cookies.size > 0 && { cookies: [...cookies].map(([name, value]) => `${name}=${value}`) }),
    pathParameters: { id },
    queryStringParameters: {},
    requestContext: {
      requestId: randomBytes(8).toString("hex"),
      domainName: host,
      http: { method: methods[0], path: rawPath, sourceIp: ip },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  } as unknown as ApiEvent;
};

const keepCookie = (cookies: Map<string, string>, header: string): void => {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
  if (name !== "") {
    cookies.set(name, value);
  }
  if (/Max-Age=0(?:;|$)/.test(header)) {
    cookies.delete(name);
  }
};

/** @returns the challenge and the code that were sent to the email address */
export const askForCode = async (
  world: World,
  tab: Tab,
  email: string,
): Promise<{ challenge_id: string; code: string }> => {
  const { status, body } = await tab.ask("createSignInCode", { body: { email } });
  if (status !== 202) {
    throw new Error(`No code was sent: ${JSON.stringify(body)}`);
  }
  const code = /\b\d{6}\b/.exec(world.mails.at(-1)?.text ?? "")?.[0] ?? "";
  return { challenge_id: challengeSchema.parse(body).challenge_id, code };
};

/** Signs the tab in with a code. @returns the account's id */
export const signInAs = async (world: World, tab: Tab, email: string): Promise<string> => {
  const { body } = await tab.ask("createSession", { body: await askForCode(world, tab, email) });
  return body.account.id;
};
