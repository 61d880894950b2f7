import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { SQSEvent } from "aws-lambda";
import { expect } from "vitest";
import type { ApiEvent, ApiResult } from "../../../functions/api/request.ts";
import { context } from "../../../functions/context.ts";
import { issueKey, openAccount } from "../../../functions/domain/accounts/account.ts";
import { router } from "../../../local/http/router.ts";
import { signedInHeaders } from "../world/signed-in.ts";
import type { UsedRight } from "./used-rights.ts";

/** Runs operations and events one after another like Lambda, and records the AWS permissions that each uses. */
export interface RightsRecorder {
  /** The permissions used so far, by operation or event. */
  readonly used: ReadonlyMap<string, readonly UsedRight[]>;
  /** Records used permissions for the current operation or event. */
  record(rights: readonly UsedRight[]): void;
  /** Creates an account, which sends all later requests. @returns its ID */
  open(email: string): Promise<string>;
  /** Runs the work as the given event. */
  as(name: string, work: () => Promise<unknown>): Promise<void>;
  /** Delivers a message to the function of a queue. @param more fields of the message in addition to the ID */
  deliver(
    name: string,
    handler: (event: SQSEvent) => Promise<unknown>,
    id: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Sends a request with a key of the account to an operation. @returns the body of the response */
  call(target: string, parts?: RequestParts): Promise<ReturnType<typeof JSON.parse>>;
  /** The same from a page in a signed-in session of the account, which was unused for a day. */
  callSignedIn(target: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>;
}

interface RequestParts {
  readonly body?: unknown;
  readonly form?: Buffer;
  /** Undefined removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Tries of a request that exceeds the rate limit of its account. */
const TRIES_MAX = 5;
const DAY_MS = 24 * 3_600_000;

export const rightsRecorder = (): RightsRecorder => {
  const used = new Map<string, UsedRight[]>();
  const serve = router();
  let [running, accountId] = ["", ""];

  const as = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    running = name;
    try {
      return await work();
    } finally {
      running = "";
    }
  };

  const answerTo = async (target: string, parts: RequestParts): Promise<ApiResult> => {
    const [method = "", path = ""] = target.split(" ");
    const { route, params, handler } = serve(method, path);
    // A new key per request, because a process remembers which keys it has recorded in this minute.
    const { key } = await issueKey(context(), { accountId, name: "rights" });
    const event = { ...eventOf({ method, path }, parts, key), pathParameters: params } as ApiEvent;
    return as(route.id, () => handler(event, {} as never));
  };

  const call: RightsRecorder["call"] = async (target, parts = {}) => {
    let answer = await answerTo(target, parts);
    for (let tries = 1; answer.statusCode === 429 && tries < TRIES_MAX; tries += 1) {
      await setTimeout(1_000);
      answer = await answerTo(target, parts);
    }
    expect(answer.statusCode, `${target}: ${answer.body}`).not.toBe(429);
    expect(answer.statusCode, `${target}: ${answer.body}`).toBeLessThan(500);
    // The body of a file is in base64.
    return answer.isBase64Encoded ? {} : JSON.parse(answer.body ?? "{}");
  };

  return {
    used,
    record: (rights) => {
      if (running !== "") {
        used.set(running, [...(used.get(running) ?? []), ...rights]);
      }
    },
    open: async (email) => {
      accountId = (await openAccount(context(), { email, plan: "api", quota: undefined }))?.id ?? "";
      return accountId;
    },
    as: async (name, work) => void (await as(name, work)),
    deliver: async (name, handler, id, more = {}) => {
      const event = { Records: [{ messageId: "1", body: JSON.stringify({ id, ...more }) }] } as SQSEvent;
      await as(name, () => handler(event));
    },
    call,
    callSignedIn: async (target, body) => {
      const headers = { ...(await signedInHeaders(context(), accountId, DAY_MS)), authorization: undefined };
      return call(target, { headers, ...(body !== undefined && { body }) });
    },
  };
};

/** @returns the event that API Gateway creates for a request */
const eventOf = (
  { method, path }: { readonly method: string; readonly path: string },
  { body, form, headers = {} }: RequestParts,
  key: string,
) => {
  const type = form === undefined ? "application/json" : "multipart/form-data; boundary=x";
  const http = { method, path, sourceIp: "203.0.113.7" };
  return {
    rawPath: path,
    headers: { authorization: `Bearer ${key}`, "content-type": type, ...headers },
    queryStringParameters: {},
    requestContext: { requestId: randomBytes(8).toString("hex"), domainName: "localhost", http },
    body: form?.toString("base64") ?? (body === undefined ? undefined : JSON.stringify(body)),
    isBase64Encoded: form !== undefined,
  } as unknown as ApiEvent;
};
