import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Serves a function in a custom container: requests an event from Lambda, calls the handler, reports the result, and
 * repeats (AWS Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes"). The AWS client,
 * `aws-lambda-ric`, is native code that each build would have to compile with CMake and autotools, for four requests.
 */

export type Handler<Event> = (event: Event) => Promise<unknown>;

const API_VERSION = "2018-06-01";

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Ask = (method: "GET" | "POST", path: string, message?: Message) => Promise<Answer>;

interface Message {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * @param api host and port of the runtime API
 * @param load creates the handler; a failure is reported to Lambda
 * @param onTrace called with the trace identifier of each event, before its handler
 * @throws the error of `load`, or Error if the API rejects a request; the process must exit, and Lambda starts another
 */
export const serveInvocations = async <Event>(
  api: string,
  load: () => Promise<Handler<Event>>,
  onTrace: (id: string | undefined) => void,
): Promise<never> => {
  const ask = askAt(api);
  const handler = await load().catch(async (error: unknown) => {
    await ask("POST", "init/error", failure(error));
    throw error;
  });
  for (;;) {
    const { headers, body } = await ask("GET", "invocation/next");
    onTrace(headerOf(headers, "lambda-runtime-trace-id"));
    const invocation = `invocation/${headerOf(headers, "lambda-runtime-aws-request-id")}`;
    const [outcome, message] = await outcomeOf(handler, body);
    await ask("POST", `${invocation}/${outcome}`, message);
  }
};

const outcomeOf = async <Event>(
  handler: Handler<Event>,
  event: string,
): Promise<readonly ["response" | "error", Message]> => {
  try {
    return ["response", { body: JSON.stringify((await handler(JSON.parse(event))) ?? null) }];
  } catch (error) {
    return ["error", failure(error)];
  }
};

/** @returns an error in the format of Lambda's logs and metrics */
const failure = (error: unknown): Message => {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return {
    headers: { "lambda-runtime-function-error-type": `Runtime.${name}` },
    body: JSON.stringify({ errorType: name, errorMessage: message, stackTrace: stack.split("\n").slice(1) }),
  };
};

/** `fetch` times out after five minutes, but the next event may come hours later, so node:http is used. */
const askAt = (api: string): Ask => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (method, path, { headers = {}, body } = { body: "" }) =>
    new Promise((resolve, reject) => {
      const sent = request(`http://${api}/${API_VERSION}/runtime/${path}`, { method, agent, headers });
      sent.once("error", reject);
      sent.once("response", async (response) => {
        const { statusCode = 0, headers: got } = response;
        const answer = { headers: got, body: await text(response) };
        if (statusCode >= 200 && statusCode < 300) {
          resolve(answer);
          return;
        }
        reject(new Error(`The runtime API answered ${statusCode} to ${method} ${path}: ${answer.body}`));
      });
      sent.end(body);
    });
};

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};
