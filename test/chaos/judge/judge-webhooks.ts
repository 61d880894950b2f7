import { Webhook } from "standardwebhooks";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { WebhookSecretView } from "../../../functions/domain/webhooks/webhook-views.ts";
import { type Aftermath, type EndedJob, letPass, type Verdict, verdict } from "./aftermath.ts";

/** Each end is announced at least once, signed, and always with the same body. */
export const judgeWebhooks = async (aftermath: Aftermath, jobs: readonly EndedJob[]): Promise<Verdict> => {
  const wanted = jobs.filter(({ facts, view }) => facts.plan.webhook && view !== undefined);
  const unannounced = await missingMessages(aftermath, wanted);
  const secrets = await secretsOf(aftermath);
  const broken = unannounced.map(({ id }) => `${id} was not announced`);
  for (const { id, view, facts } of wanted) {
    const deliveries = aftermath.receiver.came.get(messageIdOf(id)) ?? [];
    const bodies = new Set(deliveries.map(({ body }) => body));
    if (bodies.size > 1) {
      broken.push(`${id} was announced with ${bodies.size} different bodies`);
    }
    for (const { headers, body } of deliveries) {
      const said = JSON.parse(body) as { type: string; data: JobView };
      const isSigned = (secrets.get(facts.plan.account) ?? []).some((secret) => verifies(secret, body, headers));
      if (!isSigned || said.data.id !== id || said.type !== `job.${view?.status}`) {
        broken.push(`${id}: announced ${said.type}, signed ${isSigned}, and it is ${view?.status}`);
      }
    }
  }
  return verdict("every end is sent to its webhook, signed, and always the same", wanted.length, broken);
};

const messageIdOf = (jobId: string): string => jobId.replace("job_", "msg_");

const missingMessages = (aftermath: Aftermath, wanted: readonly EndedJob[]): Promise<readonly EndedJob[]> =>
  letPass(aftermath, wanted, async (open) => open.filter(({ id }) => !aftermath.receiver.came.has(messageIdOf(id))));

const secretsOf = async ({ accounts, send }: Aftermath): Promise<ReadonlyMap<number, readonly string[]>> => {
  const secrets = new Map<number, string[]>();
  for (const [index, { live }] of accounts.entries()) {
    const { body } = await send({ method: "GET", path: "/api/v1/webhooks/secret", key: live });
    secrets.set(
      index,
      (body as unknown as WebhookSecretView).secrets.map(({ secret }) => secret),
    );
  }
  return secrets;
};

/**
 * The Standard Webhooks package rejects timestamps minutes off. The service's clock jumps, so the time is not checked.
 */
const verifies = (secret: string, body: string, headers: Readonly<Record<string, unknown>>): boolean => {
  const [id, seconds] = [String(headers["webhook-id"]), Number(headers["webhook-timestamp"])];
  const expected = new Webhook(secret).sign(id, new Date(seconds * 1_000), body);
  return String(headers["webhook-signature"]).split(" ").includes(expected);
};
