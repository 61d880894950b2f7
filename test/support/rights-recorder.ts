import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { SQSEvent } from "aws-lambda";
import { expect } from "vitest";
import type { ApiEvent, ApiResult } from "../../functions/api/request.ts";
import { context } from "../../functions/context.ts";
import { issueKey, openAccount } from "../../functions/domain/accounts/account.ts";
import { router } from "../../local/http/router.ts";
import { signedInHeaders } from "./signed-in.ts";
import type { UsedRight } from "./used-rights.ts";

/** Has operations and events run as Lambda would run them, one after the other, and keeps what each asks of AWS. */
export interface RightsRecorder {
  /** What was parts so far, by operation or event. */
  readonly used: ReadonlyMap<string, readonly UsedRight[]>;
  /** Notes rights that are used, by what runs at the moment. */
  record(rights: readonly UsedRight[]): void;
  /** Makes an account, whose requests come from now on. @returns its id */
  open(email: string): Promise<string>;
  /** Does the work in the name of an event. */
  as(name: string, work: () => Promise<unknown>): Promise<void>;
  /** Hands a message to the function of a queue. */
  deliver(name: string, handler: (event: SQSEvent) => Promise<unknown>, id: string): Promise<void>;
  /** Has an operation answer, to a request with a key of the account's. @returns the body of the answer */
  call(target: string, parts?: RequestParts): Promise<ReturnType<typeof JSON.parse>>;
  /** The same by a page of who is signed in to the account, in a session that was not used for a day. */
  callSignedIn(target: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>;
}

interface RequestParts {
  readonly body?: unknown;
  readonly form?: Buffer;
  /** Undefined takes one away that is sent otherwise. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Times that a request is sent which comes too soon after the others of its account. */
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
    // A key of its own, because a process remembers which it has seen in this minute.
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
    return JSON.parse(answer.body ?? "{}");
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
    deliver: async (name, handler, id) => {
      const event = { Records: [{ messageId: "1", body: JSON.stringify({ id }) }] } as SQSEvent;
      await as(name, () => handler(event));
    },
    call,
    callSignedIn: async (target, body) => {
      const headers = { ...(await signedInHeaders(context(), accountId, DAY_MS)), authorization: undefined };
      return call(target, { headers, ...(body !== undefined && { body }) });
    },
  };
};

/** @returns the event that API Gateway makes of a request */
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
