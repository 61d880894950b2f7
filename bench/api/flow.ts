import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Agent, request } from "undici";

/** The complete API flow of a client: upload, convert and wait, download. Connections are reused. */
export type Flow = (input: string, target: string) => Promise<Buffer>;

interface Sent {
  readonly method: "GET" | "POST";
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

const callerAt = (url: string, key: string) => {
  const agent = new Agent({ connections: 32 });
  return async (path: string, { method, headers, body }: Sent) => {
    const reply = await request(new URL(path, url), {
      dispatcher: agent,
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode >= 400) {
      throw new Error(`${path} answered ${reply.statusCode}: ${bytes.toString("utf8").slice(0, 300)}`);
    }
    return { body: bytes, location: String(reply.headers.location ?? "") };
  };
};

/** @returns a function that reads each file once */
const reader = () => {
  const files = new Map<string, Buffer>();
  return async (input: string): Promise<Buffer> => {
    const content = files.get(input) ?? (await readFile(input));
    files.set(input, content);
    return content;
  };
};

/** @returns the conversion in one call: the file in the request, the result in the response */
export const oneCallAt = (url: string, key: string): Flow => {
  const [call, contentOf] = [callerAt(url, key), reader()];
  return async (input, target) => {
    const path = `/api/v1/convert?target_format=${target}&source_filename=${encodeURIComponent(basename(input))}`;
    return (await call(path, { method: "POST", body: await contentOf(input) })).body;
  };
};

export const flowAt = (url: string, key: string): Flow => {
  const [call, contentOf] = [callerAt(url, key), reader()];
  return async (input, target) => {
    const body = multipart(basename(input), await contentOf(input));
    const upload = await call("/api/v1/upload", { method: "POST", ...body });
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
    const { body: file, location } = await call(`/api/v1/download/${job.result.download_token}`, { method: "GET" });
    return location === "" ? file : (await call(location, { method: "GET" })).body;
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
