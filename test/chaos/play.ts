import { setTimeout as pause } from "node:timers/promises";
import { fetch } from "undici";
import type { DownloadView, JobView } from "../../functions/domain/jobs/job-views.ts";
import type { Input } from "./inputs.ts";
import type { JobFacts } from "./judge/ledger.ts";
import type { PlannedJob } from "./plan.ts";
import { type Line, refused, sendFile } from "./send-file.ts";
import { agent, type Reply } from "./stubborn.ts";

export interface Stage extends Line {
  readonly inputs: ReadonlyMap<string, Input>;
  /** Where the receiver accepts webhooks. */
  readonly webhookUrl: string;
  /** Separates the idempotency keys of one run from those of others. */
  readonly run: string;
  /** How long a client waits for a job while faults occur; unfinished jobs are awaited afterward. */
  readonly waitMsMax: number;
}

/**
 * Plays one job of the plan like a robust client: retries each request until it is answered, with one key per
 * operation.
 *
 * @returns whether it was accepted, and ended while the client waited
 */
export const play = async (stage: Stage, plan: PlannedJob): Promise<boolean> => {
  const ids: string[] = [];
  for (const [index, name] of plan.recipe.inputs.entries()) {
    const input = stage.inputs.get(name);
    const id = input && (await sendFile(stage, plan, input, `${stage.run}-${plan.number}-${index}`));
    if (id === undefined) {
      return false;
    }
    ids.push(id);
  }
  const ask = () => convert(stage, plan, ids);
  const replies = await Promise.all(Array.from({ length: plan.requests }, ask));
  const facts = accepted(stage, plan, replies);
  if (facts === undefined) {
    return false;
  }
  if (plan.deletedAfterMs !== undefined) {
    await pause(plan.deletedAfterMs);
    await erase(stage, facts);
    return true;
  }
  const [id = ""] = facts.ids;
  const job = await endOf(stage, id);
  if (plan.late) {
    const again = await ask();
    facts.ids.add(String(again.body.id ?? `${again.status} ${again.body.code}`));
  }
  if (plan.downloads && job?.result) {
    const download = await downloaded(stage, plan, job.result.download_token);
    if (download === undefined) {
      stage.ledger.wrongs.push(`The result of ${id} could not be downloaded.`);
    }
  }
  return job !== undefined;
};

/** @returns the facts of a job; undefined if the requests were rejected */
const accepted = ({ ledger }: Stage, plan: PlannedJob, replies: readonly Reply[]): JobFacts | undefined => {
  const good = replies.filter(({ status }) => status < 300);
  for (const reply of replies.filter(({ status }) => status >= 300)) {
    refused(ledger, reply);
  }
  if (good.length === 0) {
    return undefined;
  }
  const facts = { plan, ids: new Set(good.map(({ body }) => String(body.id))), deletions: 0 };
  ledger.jobs.push(facts);
  return facts;
};

const convert = ({ send, key, run, webhookUrl }: Stage, plan: PlannedJob, ids: readonly string[]): Promise<Reply> => {
  const { recipe, number } = plan;
  const body = JSON.stringify({
    ...(ids.length === 1 ? { upload_id: ids[0] } : { upload_ids: ids }),
    target_format: recipe.target,
    ...(recipe.options && { options: recipe.options }),
    ...(plan.webhook && { webhook_url: webhookUrl }),
    metadata: { number: String(number) },
  });
  const headers = { "content-type": "application/json", "idempotency-key": `${run}-${number}` };
  return send({ method: "POST", path: "/api/v1/convert", key, headers, body: () => body });
};

const erase = async ({ send, key, ledger }: Stage, facts: JobFacts): Promise<void> => {
  for (const id of facts.ids) {
    const reply = await send({
      method: "DELETE",
      path: `/api/v1/convert/${id}`,
      key,
      onTry: () => {
        facts.deletions += 1;
      },
    });
    // An earlier try that was not answered may have erased it.
    if (reply.status !== 200 && reply.status !== 204 && !(reply.status === 404 && facts.deletions > 1)) {
      ledger.wrongs.push(`Deleting ${id} was answered with ${reply.status} ${reply.body.code}.`);
    }
  }
};

/** Milliseconds between two status requests of a client: on AWS a waiting request reads the job twice a second. */
const LOOK_MS = 1_500;

const endOf = async ({ send, key, ledger, waitMsMax }: Stage, id: string): Promise<JobView | undefined> => {
  const end = Date.now() + waitMsMax;
  for (let query = "?wait=3"; Date.now() < end; query = "") {
    const { status, body } = await send({ method: "GET", path: `/api/v1/convert/${id}/status${query}`, key });
    if (status !== 200) {
      ledger.wrongs.push(`The accepted job ${id} was answered with ${status} ${body.code}.`);
      return undefined;
    }
    const job = body as unknown as JobView;
    if (job.status !== "queued" && job.status !== "processing") {
      return job;
    }
    await pause(LOOK_MS);
  }
  return undefined;
};

const DOWNLOADS_MAX = 40;
const DOWNLOAD_MS_MAX = 30_000;

/** @returns the bytes; undefined if they were rejected. Unanswered tries may have been counted or not. */
export const downloaded = async (
  { send, key, ledger }: Pick<Stage, "send" | "key" | "ledger">,
  { account, test }: Pick<PlannedJob, "account" | "test">,
  token: string,
): Promise<Buffer | undefined> => {
  // Requests of a test key are not counted.
  const counts = test ? undefined : ledger.downloads[account];
  for (let tries = 0; tries < DOWNLOADS_MAX; tries += 1) {
    let sent = 0;
    const onTry = () => {
      sent += 1;
    };
    const reply = await send({ method: "GET", path: `/api/v1/download/${token}`, key, onTry });
    if (counts !== undefined) {
      counts.unknown += sent - 1;
      counts.answered += reply.status === 200 ? 1 : 0;
    }
    if (reply.status !== 200) {
      refused(ledger, reply);
      return reply.body.code === "quota_exceeded" ? Buffer.alloc(0) : undefined;
    }
    const { url } = reply.body as unknown as DownloadView;
    const signal = AbortSignal.timeout(DOWNLOAD_MS_MAX);
    const bytes = await fetch(url, { dispatcher: agent, signal })
      .then(async (response) => (response.status === 200 ? Buffer.from(await response.arrayBuffer()) : undefined))
      .catch(() => undefined);
    if (bytes !== undefined) {
      return bytes;
    }
    await pause(300);
  }
  return undefined;
};
