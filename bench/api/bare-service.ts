import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { basename, extname, join } from "node:path";
import { buffer, json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { BareBytes } from "./bare.ts";

/**
 * `node bare-service.ts FOLDER`: the baseline of a service. It handles the four requests of the flow, and the conversion in
 * one call, with Node's HTTP server and one bare engine process per core, and nothing else: no keys, quotas, records,
 * checks, disk syncs or deletions. Sends its port to the process that started it.
 */

const folder = process.argv[2] ?? "";
const workers = Array.from({ length: availableParallelism() }, () =>
  fork(join(import.meta.dirname, "bare.ts"), { serialization: "advanced" }),
);
const idle = [...workers];
const waiting: ((worker: ChildProcess) => void)[] = [];

const borrow = async (): Promise<ChildProcess> => idle.pop() ?? new Promise((resolve) => waiting.push(resolve));

const release = (worker: ChildProcess): void => {
  const next = waiting.shift() ?? ((free: ChildProcess) => idle.push(free));
  next(worker);
};

/** @returns what a worker returns for the task, once one is free */
const byWorker = async <Result>(task: string | BareBytes): Promise<Result> => {
  const worker = await borrow();
  worker.send(task);
  const [result] = await once(worker, "message");
  release(worker);
  return result;
};

const answer = (response: ServerResponse, body: unknown): void => {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
};

const upload = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const form = new Busboy({ headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" } });
  const stored = new Promise<string>((resolve, reject) => {
    form.on("file", (_field, file, name) => {
      const id = `${randomUUID()}${extname(name)}`;
      pipeline(file, createWriteStream(join(folder, id))).then(() => resolve(id), reject);
    });
  });
  request.pipe(form);
  answer(response, { upload_id: await stored });
};

const convert = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { upload_id: id } = (await json(request)) as { upload_id: string };
  const output = await byWorker<string>(join(folder, id));
  answer(response, { status: "completed", result: { download_token: basename(output) } });
};

/** Converts the body of the request, in memory. */
const convertBody = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { searchParams } = new URL(request.url ?? "/", "http://localhost");
  const target = searchParams.get("target_format") ?? "";
  const result = await byWorker<Uint8Array>({ bytes: await buffer(request), target });
  response.setHeader("content-type", "application/octet-stream").end(result);
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = ""] = (request.url ?? "").split("?");
  const [, place = "", second = "", step = "", token = ""] = path.split("/");
  if (place === "files") {
    await pipeline(createReadStream(join(folder, second)), response);
  } else if (step === "upload") {
    await upload(request, response);
  } else if (step === "convert") {
    const isOneCall = request.headers["content-type"] !== "application/json";
    await (isOneCall ? convertBody : convert)(request, response);
  } else {
    response.writeHead(302, { location: `/files/${token}` }).end();
  }
};

/** Clients that pause keep their connections, as those of our gateway do. */
const KEEP_ALIVE_MS = 65_000;

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => {
  for (const worker of workers) {
    worker.kill();
  }
  process.exit();
});
