import { randomBytes } from "node:crypto";
import { conversionRequest } from "../../functions/api/conversion-request.ts";
import { createJob } from "../../functions/api/create-job.ts";
import { createPasskey } from "../../functions/api/create-passkey.ts";
import { createPasskeySession } from "../../functions/api/create-passkey-session.ts";
import { createSession } from "../../functions/api/create-session.ts";
import { createSignInCode } from "../../functions/api/create-sign-in-code.ts";
import { createUpload } from "../../functions/api/create-upload.ts";
import { createVisitorSession } from "../../functions/api/create-visitor-session.ts";
import { deletePasskey } from "../../functions/api/delete-passkey.ts";
import { deleteSession } from "../../functions/api/delete-session.ts";
import { endSession } from "../../functions/api/end-session.ts";
import { getAccount } from "../../functions/api/get-account.ts";
import { getSession } from "../../functions/api/get-session.ts";
import { stackOn } from "../../functions/api/http.ts";
import { listJobs } from "../../functions/api/list-jobs.ts";
import { listPasskeys } from "../../functions/api/list-passkeys.ts";
import { listSessions } from "../../functions/api/list-sessions.ts";
import type { ApiEvent } from "../../functions/api/request.ts";
import { routeOf } from "../../functions/api/routes.ts";
import {
  codeRequest,
  codeSessionRequest,
  passkeyRequest,
  passkeySessionRequest,
} from "../../functions/api/sign-in-request.ts";
import { startPasskey } from "../../functions/api/start-passkey.ts";
import { startPasskeySignIn } from "../../functions/api/start-passkey-sign-in.ts";
import { challengeSchema } from "../../functions/domain/session-views.ts";
import { logger } from "../../functions/logger.ts";
import type { World } from "./world.ts";

/** A tab of a browser, as far as the API sees it: it keeps cookies, and says which page makes it ask. */

// A thousand requests are a thousand lines that nobody reads; the test of the log turns it on.
logger.setLogLevel("SILENT");

/** The operations that tabs ask for, each behind the whole stack that a request passes. */
const handlersOn = (world: World) => {
  const on = stackOn(() => world.context);
  return {
    createJob: on("createJob", createJob, conversionRequest),
    createPasskey: on("createPasskey", createPasskey, passkeyRequest),
    createPasskeySession: on("createPasskeySession", createPasskeySession, passkeySessionRequest),
    createSession: on("createSession", createSession, codeSessionRequest),
    createSignInCode: on("createSignInCode", createSignInCode, codeRequest),
    createUpload: on("createUpload", createUpload),
    createVisitorSession: on("createVisitorSession", createVisitorSession),
    deletePasskey: on("deletePasskey", deletePasskey),
    deleteSession: on("deleteSession", deleteSession),
    endSession: on("endSession", endSession),
    getAccount: on("getAccount", getAccount),
    getSession: on("getSession", getSession),
    listJobs: on("listJobs", listJobs),
    listPasskeys: on("listPasskeys", listPasskeys),
    listSessions: on("listSessions", listSessions),
    startPasskey: on("startPasskey", startPasskey),
    startPasskeySignIn: on("startPasskeySignIn", startPasskeySignIn),
  };
};

export type Asked = keyof ReturnType<typeof handlersOn>;

interface Call {
  readonly body?: unknown;
  /** Of the path. */
  readonly id?: string;
  /** Names in lower case; undefined leaves away what the tab would send. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TabReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests hold it against what they expect
  readonly body: any;
}

export interface Tab {
  readonly cookies: Map<string, string>;
  ask(operation: Asked, call?: Call): Promise<TabReply>;
}

interface Place {
  /** Where the service is, as the browser was told. @default https://anyform.test */
  readonly origin?: string;
  /** @default 192.0.2.1 */
  readonly ip?: string;
}

export const ORIGIN = "https://anyform.test";

export const tabOn = (world: World, { origin = ORIGIN, ip = "192.0.2.1" }: Place = {}): Tab => {
  const handlers = handlersOn(world);
  const cookies = new Map<string, string>();
  return {
    cookies,
    ask: async (operation, call = {}) => {
      const event = eventOf(operation, call, { origin, ip, cookies });
      const result = await handlers[operation](event, {} as never);
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
  const { methods, path } = routeOf(operation);
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

/** @returns the challenge of a code that was sent to the address, and the code */
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

/** Signs the tab in by a code. @returns the account's id */
export const signInAs = async (world: World, tab: Tab, email: string): Promise<string> => {
  const { body } = await tab.ask("createSession", { body: await askForCode(world, tab, email) });
  return body.account.id;
};
