import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";

/**
 * `node bare-service.ts FOLDER`: the baseline of a service. It handles the four requests of the flow with Node's HTTP
 * server and one bare engine process per core, and nothing else: no keys, quotas, records, checks, disk syncs or
 * deletions. Sends its port to the process that started it.
 */

const folder = process.argv[2] ?? "";
const workers = Array.from({ length: availableParallelism() }, () => fork(join(import.meta.dirname, "bare.ts")));
const idle = [...workers];
const waiting: ((worker: ChildProcess) => void)[] = [];

const borrow = async (): Promise<ChildProcess> => idle.pop() ?? new Promise((resolve) => waiting.push(resolve));

const release = (worker: ChildProcess): void => {
  const next = waiting.shift() ?? ((free: ChildProcess) => idle.push(free));
  next(worker);
};

const answer = (response: ServerResponse, body: unknown): void => {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
};

const upload = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const id = randomUUID();
  const form = new Busboy({ headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" } });
  const stored = new Promise<void>((resolve, reject) => {
    form.on("file", (_field, file) => {
      pipeline(file, createWriteStream(join(folder, `${id}.png`))).then(resolve, reject);
    });
  });
  request.pipe(form);
  await stored;
  answer(response, { upload_id: id });
};

const convert = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { upload_id: id } = (await json(request)) as { upload_id: string };
  const worker = await borrow();
  worker.send(join(folder, `${id}.png`));
  await once(worker, "message");
  release(worker);
  answer(response, { status: "completed", result: { download_token: `${id}.png.${worker.pid}.jpg` } });
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [, place = "", second = "", step = "", token = ""] = (request.url ?? "").split("/");
  if (place === "files") {
    await pipeline(createReadStream(join(folder, second)), response);
  } else if (step === "upload") {
    await upload(request, response);
  } else if (step === "convert") {
    await convert(request, response);
  } else {
    response.writeHead(302, { location: `/files/${token}` }).end();
  }
};

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => {
  for (const worker of workers) {
    worker.kill();
  }
  process.exit();
});
