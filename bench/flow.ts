import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Agent, request } from "undici";

/** The complete API flow of a client: upload, convert and wait, download. Connections are reused. */
export type Flow = (input: string, target: string) => Promise<Buffer>;

export const flowAt = (url: string, key: string): Flow => {
  const agent = new Agent({ connections: 32 });
  const files = new Map<string, Buffer>();
  const headers = { authorization: `Bearer ${key}` };
  const call = async (
    path: string,
    options: { method: "GET" | "POST"; headers?: Record<string, string>; body?: Buffer | string },
  ) => {
    const reply = await request(new URL(path, url), {
      dispatcher: agent,
      method: options.method,
      headers: { ...headers, ...options.headers },
      ...(options.body !== undefined && { body: options.body }),
    });
    const body = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode >= 400) {
      throw new Error(`${path} answered ${reply.statusCode}: ${body.toString("utf8").slice(0, 300)}`);
    }
    return { body, location: String(reply.headers.location ?? "") };
  };
  return async (input, target) => {
    const content = files.get(input) ?? (await readFile(input));
    files.set(input, content);
    const upload = await call("/api/v1/upload", { method: "POST", ...multipart(basename(input), content) });
    const { upload_id } = JSON.parse(upload.body.toString("utf8")) as { upload_id: string };
    const converted = await call("/api/v1/convert", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=25" },
      body: JSON.stringify({ upload_id, target_format: target }),
    });
    const job = JSON.parse(converted.body.toString("utf8")) as {
      status: string;
      result: { download_token: string } | null;
    };
    if (job.result === null) {
      throw new Error(`The job ended with status ${job.status}.`);
    }
    const { location } = await call(`/api/v1/download/${job.result.download_token}`, { method: "GET" });
    return (await call(location, { method: "GET" })).body;
  };
};

/** @returns a body with the file as its field `file`, and its header */
export const multipart = (name: string, content: Buffer): { headers: Record<string, string>; body: Buffer } => {
  const boundary = "anyform-bench-boundary";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
};
