import { Agent, request as httpRequest } from "node:http";

/** A raw HTTP request, valid or not. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly path: string;
  /** Names may occur more than once. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON. */
  readonly body: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const ANSWER_MS_MAX = 60_000;

/** Sends a request unchanged: `fetch` would correct errors. */
export const sendRaw = (base: string, { method, path, headers, body }: RawRequest): Promise<RawReply> => {
  const { hostname, port, host } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent,
      hostname,
      port,
      method,
      path,
      timeout: ANSWER_MS_MAX,
      setDefaultHeaders: false,
    });
    request.setHeader("host", host);
    for (const name of new Set(headers.map(([name]) => name.toLowerCase()))) {
      request.setHeader(
        name,
        headers
          .filter(([other]) => other.toLowerCase() === name)
          .map(([, value]) => Buffer.from(value).toString("latin1")),
      );
    }
    request.setHeader("content-length", body?.length ?? 0);
    request.on("error", reject).on("timeout", () => request.destroy(new Error("No response.")));
    request.on("response", async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) {
        chunks.push(chunk);
      }
      const answered = new Headers(
        Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const text = Buffer.concat(chunks).toString("utf8");
      const isJson =
        /json/.test(answered.get("content-type") ?? "") && text !== "" && !answered.has("content-encoding");
      resolve({ status: response.statusCode ?? 0, headers: answered, body: isJson ? JSON.parse(text) : undefined });
    });
    request.end(body);
  });
};
