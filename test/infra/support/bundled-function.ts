import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

/** Milliseconds of a function, with its start. */
const MS_MAX = 60_000;

interface Invocation {
  /** The folder of all functions. */
  readonly dist: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a function's code on an event as Lambda does: with plain Node and nothing else.
 *
 * @returns what its handler returns
 */
export const invoked = async (name: string, event: object, { dist, environment }: Invocation): Promise<unknown> => {
  const script = `require("./${name}/index.js").handler(${JSON.stringify(event)}, {}).then((answer) =>
    require("node:fs").writeFileSync(3, JSON.stringify(answer ?? null)))`;
  const child = spawn(process.execPath, ["-e", script], {
    cwd: dist,
    env: { AWS_REGION: "eu-central-1", ...environment },
    stdio: ["ignore", "ignore", "inherit", "pipe"],
    timeout: MS_MAX,
  });
  const exited = once(child, "exit");
  const answer = await text(child.stdio[3] as Readable);
  await exited;
  return JSON.parse(answer);
};

export interface HttpCall {
  readonly method?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly queryStringParameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** @returns the event of an HTTP request (payload format 2.0) */
export const httpEvent = (rawPath: string, call: HttpCall = {}): object => {
  const { method = "GET", pathParameters = {}, queryStringParameters = {}, headers = {}, body } = call;
  return {
    version: "2.0",
    rawPath,
    pathParameters,
    queryStringParameters,
    headers,
    requestContext: { requestId: "r-1", domainName: "api.example.com", http: { method, path: rawPath } },
    isBase64Encoded: body !== undefined,
    ...(body !== undefined && { body: body.toString("base64") }),
  };
};
