import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** What a function reported to the runtime API: about an invocation or, if it could not start, about initialization. */
export interface Outcome {
  readonly path: string;
  readonly errorType: string | undefined;
  readonly body: unknown;
}

/** Lambda's side of the runtime API, on loopback: delivers events and receives their results. */
export interface RuntimeApi {
  /** Host and port, as in `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string;
  /** Delivers an event with the request ID. @returns the function's result */
  invoke(id: string, event: unknown): Promise<Outcome>;
  /** @returns the error of a function that cannot start */
  initError(): Promise<Outcome>;
  stop(): Promise<void>;
}

const ROOT = "/2018-06-01/runtime";

export const startRuntimeApi = async (): Promise<RuntimeApi> => {
  const events: { readonly id: string; readonly event: unknown }[] = [];
  const asking: ServerResponse[] = [];
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const handOut = (): void => {
    while (events.length > 0 && asking.length > 0) {
      const [next, response] = [events.shift(), asking.shift()];
      const headers = {
        "lambda-runtime-aws-request-id": next?.id,
        "lambda-runtime-deadline-ms": String(Date.now() + 60_000),
        "lambda-runtime-trace-id": `Root=1-${next?.id}`,
      };
      response?.writeHead(200, headers).end(JSON.stringify(next?.event));
    }
  };
  const server = createServer(async (request, response) => {
    const path = request.url?.slice(ROOT.length + 1) ?? "";
    if (path === "invocation/next") {
      asking.push(response);
      handOut();
      return;
    }
    const error = request.headers["lambda-runtime-function-error-type"];
    const outcome = { path, errorType: error?.toString(), body: JSON.parse(await text(request)) };
    response.writeHead(202).end();
    waiting.get(path.split("/").slice(0, 2).join("/"))?.(outcome);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const outcomeOf = (path: string): Promise<Outcome> => new Promise((resolve) => waiting.set(path, resolve));
  return {
    address: `127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    invoke: (id, event) => {
      const outcome = outcomeOf(`invocation/${id}`);
      events.push({ id, event });
      handOut();
      return outcome;
    },
    initError: () => outcomeOf("init/error"),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
