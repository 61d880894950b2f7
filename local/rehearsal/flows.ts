import { Agent, request } from "node:http";
import { IMAGE } from "../queue/warm-up.ts";
import type { Stage } from "./stage.ts";

/** The calls of a client, sent to a stage. */
export interface Flows {
  /** A conversion in one call. */
  oneCall(): Promise<void>;
  /** Upload, conversion, and download. */
  separateCalls(): Promise<void>;
  close(): void;
}

/** Bytes after the image, which decoders ignore, so that the body arrives in pieces, as larger images do. */
const FURTHER_BYTES = 100_000;

const REPLY_MS_MAX = 10_000;

interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export const flowsOf = ({ socketPath, key }: Pick<Stage, "key" | "socketPath">): Flows => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const image = Buffer.concat([IMAGE, Buffer.alloc(FURTHER_BYTES)]);
  const form = formWith(image);
  /** @throws Error unless the response has a status below 400 */
  const call = ({ method, path, headers, body }: Sent): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const host = { host: "localhost", authorization: `Bearer ${key}` };
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const options = { agent, socketPath, method, path, headers: { ...host, ...length, ...headers } };
      const sent = request({ ...options, timeout: REPLY_MS_MAX }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) {
          chunks.push(chunk);
        }
        const reply = Buffer.concat(chunks);
        const status = response.statusCode ?? 0;
        const isAnswered = status >= 200 && status < 400;
        isAnswered
          ? resolve(reply)
          : reject(new Error(`${method} ${path}: ${status} ${reply.toString("utf8", 0, 200)}`));
      });
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path}: no response.`)));
      sent.on("error", reject);
      sent.end(body);
    });
  return {
    oneCall: async () => {
      await call({ method: "POST", path: "/api/v1/convert?target_format=jpg&source_filename=a.png", body: image });
    },
    separateCalls: async () => {
      const { upload_id } = JSON.parse(String(await call({ method: "POST", path: "/api/v1/upload", ...form })));
      const job = JSON.parse(
        String(
          await call({
            method: "POST",
            path: "/api/v1/convert",
            headers: { "content-type": "application/json", prefer: "wait=5" },
            body: JSON.stringify({ upload_id, target_format: "jpg" }),
          }),
        ),
      );
      await call({ method: "GET", path: `/api/v1/convert/${job.id}/status` });
      await call({ method: "GET", path: `/api/v1/download/${job.result?.download_token}` });
    },
    close: () => agent.destroy(),
  };
};

/** @returns a form with the file as its field `file`, and its header */
const formWith = (file: Buffer): Required<Pick<Sent, "body" | "headers">> => {
  const boundary = "rehearsal";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
};
