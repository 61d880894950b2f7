import { readConfig, type ServiceCheck } from "../config.ts";
import { asError, logger } from "../logger.ts";

/**
 * Converts a small file as a client does: uploads it, starts a job, waits for it, and downloads the result, over the
 * public URL with a test key. So it fails when any part on the way fails, also those without a metric:
 * the domain, the certificate, CloudFront, the queue, a converter.
 */

const CONTENT = "name,count\nanyform,1\n";
const RESULT = [{ name: "anyform", count: 1 }];

/** For each request: a request that waits for the job is answered within 25 s. */
const REQUEST_MS_MAX = 30_000;

/** Requests that wait for the job, one after the other. */
const WAITS_MAX = 2;

/** @throws Error that names the first step that failed, with the status of its response */
export const checkService = async ({ url, key }: ServiceCheck): Promise<void> => {
  const call = async (step: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers };
    const signal = AbortSignal.timeout(REQUEST_MS_MAX);
    const response = await fetch(new URL(path, url), { ...init, headers, signal }).catch((error: unknown) => {
      throw new Error(`${step} did not respond.`, { cause: error });
    });
    if (!response.ok) {
      throw new Error(`${step} returned ${response.status}.`);
    }
    return response;
  };
  const form = new FormData();
  form.set("file", new Blob([CONTENT], { type: "text/csv" }), "check.csv");
  const { upload_id } = await fieldsOf(call("upload", "/api/v1/upload", { method: "POST", body: form }));
  const created = call("convert", "/api/v1/convert", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "wait=25" },
    body: JSON.stringify({ upload_id, target_format: "json" }),
  });
  let job = await fieldsOf(created);
  for (let waits = 0; waits < WAITS_MAX && isOpen(job); waits += 1) {
    job = await fieldsOf(call("status", `/api/v1/convert/${job.id}/status?wait=25`));
  }
  if (job.status !== "completed") {
    throw new Error(`The job is ${job.status}.`);
  }
  const { download_token } = job.result as { readonly download_token: string };
  const converted = await (await call("download", `/api/v1/download/${download_token}`)).text();
  if (!isExpected(converted)) {
    throw new Error("The result has a different content.");
  }
};

/** Runs every five minutes. Its errors ring an alarm (docs/runbook.md, "Service check"). */
export const handler = async (): Promise<void> => {
  const { check } = readConfig();
  if (check === undefined) {
    throw new Error("Missing ANYFORM_CHECK_URL or ANYFORM_CHECK_KEY.");
  }
  try {
    await checkService(check);
    logger.info("service checked");
  } catch (error) {
    logger.error("service check failed", { error: asError(error) });
    throw error;
  }
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = async (response: Promise<Response>): Promise<Fields> => (await (await response).json()) as Fields;

const isOpen = ({ status }: Fields): boolean => status === "queued" || status === "processing";

const isExpected = (text: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(RESULT);
  } catch {
    return false;
  }
};
