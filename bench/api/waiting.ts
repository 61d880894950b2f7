import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Agent, FormData, request } from "undici";
import { timed } from "../support/figures.ts";
import { type Usage, watched } from "../support/process-tree.ts";

/** Latency of a waiting client after the end of its job, and the cost of a polling client. */

const WAITS = 60;
const POLLS = 2_000;
const WARM_UPS = 200;

export interface Measured {
  /** Duration of each request in milliseconds. */
  readonly times: readonly number[];
  readonly usage: Usage;
}

export interface Service {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}

/** @returns milliseconds from the recorded end of a job to the response of the request that waited for it */
export const waits = async (service: Service, input: string): Promise<Measured> => {
  const call = callerAt(service);
  const upload_id = await uploaded(call, input);
  const { result, usage } = await watched(service.pid, async () => {
    const times: number[] = [];
    for (let run = 0; run < WAITS; run += 1) {
      const body = JSON.stringify({ upload_id, target_format: "jpg" });
      const job = await call("/api/v1/convert", { method: "POST", headers: WAITING, body });
      times.push(Date.now() - Date.parse(String(job.finished_at)));
    }
    return times;
  });
  return { times: result, usage };
};

/** @returns durations of sequential status requests for an ended job */
export const polls = async (service: Service, input: string): Promise<Measured & { readonly cpuMs: number }> => {
  const call = callerAt(service);
  const upload_id = await uploaded(call, input);
  const body = JSON.stringify({ upload_id, target_format: "jpg" });
  const { id } = await call("/api/v1/convert", { method: "POST", headers: WAITING, body });
  const poll = () => call(`/api/v1/convert/${id}/status`, {});
  for (let run = 0; run < WARM_UPS; run += 1) {
    await poll();
  }
  const { result, usage } = await watched(service.pid, async () => {
    const times: number[] = [];
    for (let run = 0; run < POLLS; run += 1) {
      times.push(await timed(poll));
    }
    return times;
  });
  return { times: result, usage, cpuMs: (1_000 * usage.cpuSeconds) / POLLS };
};

const WAITING = { "content-type": "application/json", prefer: "wait=25" };

interface Call {
  readonly method?: "POST";
  readonly headers?: Record<string, string>;
  readonly body?: string | FormData;
}

type Caller = (path: string, call: Call) => Promise<Record<string, unknown>>;

const callerAt = ({ url, key }: Service): Caller => {
  const dispatcher = new Agent({ connections: 1 });
  return async (path, { method = "GET", headers, body = null }) => {
    const own = { authorization: `Bearer ${key}`, ...headers };
    const reply = await request(new URL(path, url), { dispatcher, method, headers: own, body });
    const text = await reply.body.text();
    if (reply.statusCode >= 300) {
      throw new Error(`${path} answered ${reply.statusCode}: ${text.slice(0, 300)}`);
    }
    return JSON.parse(text);
  };
};

const uploaded = async (call: Caller, input: string): Promise<string> => {
  const body = new FormData();
  body.set("file", new File([Uint8Array.from(await readFile(input))], basename(input)));
  return String((await call("/api/v1/upload", { method: "POST", body })).upload_id);
};
