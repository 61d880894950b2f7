import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { startRuntimeApi } from "./runtime-api.ts";

/** A call of a function. */
export interface LambdaCall {
  readonly path: string;
  /** The tenant whose machine runs it. */
  readonly tenant: string | undefined;
}

/** Lambda's API on loopback, for one function that isolates tenants. */
export interface LambdaEmulator {
  readonly endpoint: string;
  readonly calls: readonly LambdaCall[];
  stop(): void;
}

const ENTRY = join(import.meta.dirname, "../../../layers/image/start.sh");

/**
 * Each call runs in a new process of the image's entry point, as each attempt of a job does in a new machine. The process
 * has only the given environment, and so no credentials and no names of tables, buckets or queues.
 */
export const startLambda = async (environment: Readonly<Record<string, string>>): Promise<LambdaEmulator> => {
  const calls: LambdaCall[] = [];
  const server = createServer((request, response) => {
    calls.push({ path: request.url ?? "", tenant: request.headers["x-amz-tenant-id"]?.toString() });
    answer(environment, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    calls,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const answer = async (
  environment: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const event = await json(request);
  const api = await startRuntimeApi();
  const machine = spawn(ENTRY, [], {
    env: { PATH: process.env.PATH ?? "", HOME: "/tmp", ...environment, AWS_LAMBDA_RUNTIME_API: api.address },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(machine, "exit");
  try {
    const { path, body } = await Promise.race([
      api.invoke("call", event),
      exited.then(() => ({ path: "exit", body: { errorType: "Runtime.ExitError" } })),
    ]);
    response.writeHead(200, path.endsWith("/response") ? {} : { "x-amz-function-error": "Unhandled" });
    response.end(JSON.stringify(body));
  } finally {
    machine.kill("SIGKILL");
    await exited;
    await api.stop();
  }
};
