import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { jobErrors } from "../../functions/domain/errors.ts";
import { monthOf } from "../../functions/domain/quotas.ts";
import type { JobView, WebhookSecretView } from "../../functions/domain/views.ts";
import type { JobFacts, Ledger } from "./ledger.ts";
import { downloaded } from "./play.ts";
import type { Receiver } from "./receiver.ts";
import { contentOf, isSame, type Reference } from "./reference.ts";
import type { Reply, Wish } from "./stubborn.ts";
import type { ChaosTarget } from "./target.ts";

/** An account of the load, with its keys. */
export interface Account {
  readonly id: string;
  readonly live: string;
  readonly test: string;
}

/** All that there is when the trouble is over. */
export interface Aftermath {
  readonly target: ChaosTarget;
  readonly ledger: Ledger;
  readonly accounts: readonly Account[];
  readonly references: ReadonlyMap<string, Reference>;
  readonly receiver: Receiver;
  readonly send: (wish: Wish) => Promise<Reply>;
  readonly startedAt: number;
  /** Filled with how the jobs ended. */
  readonly ends: Map<string, number>;
}

/** One promise, how many things it was held against, and what broke it. */
export interface Verdict {
  readonly promise: string;
  readonly checked: number;
  readonly broken: readonly string[];
}

/** A job as it stands at the end; without a view it was deleted. */
interface EndedJob {
  readonly facts: JobFacts;
  readonly id: string;
  readonly key: string;
  readonly view: JobView | undefined;
}

const MINUTE_MS = 60_000;
/** Leases, pauses and second messages all come within it. */
const STEP_MS = 10 * MINUTE_MS;
/** How far time is let pass in all. */
const STEPS_MAX = 12;
/** Milliseconds that a step is looked at. */
const STEP_LOOK_MS = 12_000;

/** Lets all jobs end, and then holds every promise against what the clients know. */
export const judge = async (aftermath: Aftermath): Promise<readonly Verdict[]> => {
  const { target, ledger, receiver } = aftermath;
  receiver.heal();
  const unfinished = await settled(aftermath);
  const jobs = await endedJobs(aftermath);
  count(aftermath.ends, jobs);
  const verdicts = [
    verdict("every request was answered rightly", ledger.requests, ledger.wrongs),
    verdict("every job ends", jobs.length, unfinished),
    ...(await onceEach(aftermath, jobs)),
    verdict("each job ends as it does in calm, or failed through our fault", jobs.length, wrongEnds(aftermath, jobs)),
    await results(aftermath, jobs),
    await quotas(aftermath, jobs),
    await webhooks(aftermath, jobs),
  ];
  const orphans = await target.orphans();
  const left = target.name === "aws" ? orphans.filter((key) => !/^(?:uploads|results)\//.test(key)) : orphans;
  return [...verdicts, verdict("no file is left that no record knows", jobs.length, left)];
};

const verdict = (promise: string, checked: number, broken: readonly string[]): Verdict => ({
  promise,
  checked,
  broken,
});

const keyOf = ({ accounts }: Aftermath, { plan }: JobFacts): string => {
  const account = accounts[plan.account];
  return (plan.test ? account?.test : account?.live) ?? "";
};

const isOver = (status: unknown): boolean => status !== "queued" && status !== "processing";

/** Waits, and lets time pass in steps. @returns the jobs that have not ended even then, and messages that are not told */
const settled = async (aftermath: Aftermath): Promise<string[]> => {
  const { target, ledger } = aftermath;
  let open = ledger.jobs.flatMap((facts) => [...facts.ids].map((id) => ({ id, key: keyOf(aftermath, facts) })));
  for (let step = 0; step <= STEPS_MAX && open.length > 0; step += 1) {
    target.setClock(step * STEP_MS);
    await target.sweep();
    const end = Date.now() + STEP_LOOK_MS;
    while (open.length > 0 && Date.now() < end) {
      const looks = await Promise.all(open.map(async (job) => ({ job, view: await look(aftermath, job) })));
      open = looks.filter(({ view }) => view !== undefined && !isOver(view.status)).map(({ job }) => job);
      await pause(open.length > 0 ? 500 : 0);
    }
  }
  return open.map(({ id }) => id);
};

const look = async (
  { send }: Pick<Aftermath, "send">,
  { id, key }: { id: string; key: string },
): Promise<JobView | undefined> => {
  const { status, body } = await send({ method: "GET", path: `/api/v1/convert/${id}/status`, key });
  return status === 200 ? (body as unknown as JobView) : undefined;
};

const endedJobs = async (aftermath: Aftermath): Promise<EndedJob[]> => {
  const jobs: EndedJob[] = [];
  for (const facts of aftermath.ledger.jobs) {
    for (const id of facts.ids) {
      const key = keyOf(aftermath, facts);
      jobs.push({ facts, id, key, view: await look(aftermath, { id, key }) });
    }
  }
  return jobs;
};

/** Each accepted request has its job, each key one job, and no account a job that nobody asked for. */
const onceEach = async (aftermath: Aftermath, jobs: readonly EndedJob[]): Promise<Verdict[]> => {
  const { ledger, accounts, send } = aftermath;
  const lost = jobs.filter(({ view, facts }) => view === undefined && facts.deletions === 0).map(({ id }) => id);
  const doubled = ledger.jobs.filter(({ ids }) => ids.size !== 1).map(({ ids }) => [...ids].join(" and "));
  const known = new Set(jobs.map(({ id }) => id));
  for (const { live } of accounts) {
    for (let path = "/api/v1/convert?limit=100"; path !== ""; ) {
      const { body } = await send({ method: "GET", path, key: live });
      const page = body as { jobs?: { id: string }[]; next?: string | null };
      doubled.push(...(page.jobs ?? []).map(({ id }) => id).filter((id) => !known.has(id)));
      path = page.next ? `/api/v1/convert?limit=100&after=${encodeURIComponent(page.next)}` : "";
    }
  }
  return [
    verdict("every accepted request has a job", jobs.length, lost),
    verdict("every idempotency key has one job, and there are no others", ledger.jobs.length, doubled),
  ];
};

const count = (ends: Map<string, number>, jobs: readonly EndedJob[]): void => {
  for (const { view } of jobs) {
    const end = view === undefined ? "erased" : [view.status, view.error?.code].filter(Boolean).join(" ");
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
};

const isOurFault = ({ status, error }: JobView): boolean =>
  status === "failed" && error !== null && jobErrors[error.code].fault === "service";

const wrongEnds = ({ references }: Aftermath, jobs: readonly EndedJob[]): string[] =>
  jobs.flatMap(({ id, view, facts }) => {
    const reference = references.get(facts.plan.recipe.name);
    if (view === undefined || isOurFault(view) || (view.status === "cancelled" && facts.deletions > 0)) {
      return [];
    }
    const isRight = view.status === reference?.status && view.error?.code === reference?.code;
    return isRight ? [] : [`${id} (${facts.plan.recipe.name}) ${view.status} ${view.error?.code ?? ""}`];
  });

const results = async (aftermath: Aftermath, jobs: readonly EndedJob[]): Promise<Verdict> => {
  const { references, ledger, send } = aftermath;
  const completed = jobs.filter(({ view }) => view?.status === "completed");
  const broken: string[] = [];
  let checked = 0;
  for (const { id, view, facts, key } of completed) {
    const bytes = await downloaded({ send, ledger, key }, facts.plan, view?.result?.download_token ?? "");
    // Of an account whose month is used up nothing can be downloaded.
    if (bytes?.length === 0) {
      continue;
    }
    checked += 1;
    const wrong = await faultOf(bytes, view, references.get(facts.plan.recipe.name));
    broken.push(...(wrong === undefined ? [] : [`${id} (${facts.plan.recipe.name}): ${wrong}`]));
  }
  return verdict("each result opens, matches its hash and is what comes in calm", checked, broken);
};

const faultOf = async (
  bytes: Buffer | undefined,
  view: JobView | undefined,
  reference: Reference | undefined,
): Promise<string | undefined> => {
  if (bytes === undefined) {
    return "it cannot be downloaded";
  }
  if (createHash("sha256").update(bytes).digest("hex") !== view?.result?.sha256) {
    return "its hash is another";
  }
  const content = await contentOf(bytes, view.result.filename).catch((error: unknown) => String(error));
  if (typeof content === "string") {
    return content;
  }
  return reference?.content && isSame(content, reference.content)
    ? undefined
    : `${JSON.stringify(content)} is not ${JSON.stringify(reference?.content)}`;
};

/** What was counted is what was accepted, less what was given back; of downloads without an answer nobody can say. */
const quotas = async (
  { target, accounts, ledger, startedAt }: Aftermath,
  jobs: readonly EndedJob[],
): Promise<Verdict> => {
  const broken: string[] = [];
  const months = new Set([monthOf(startedAt - 2 * 60 * MINUTE_MS), monthOf(Date.now() + STEPS_MAX * STEP_MS)]);
  for (const [index, { id }] of accounts.entries()) {
    let used = 0;
    for (const month of months) {
      used += (await target.accounts<{ used: number }>(["usage", "--account", id, "--month", month])).used;
    }
    const own = jobs.filter(({ facts }) => facts.plan.account === index && !facts.plan.test);
    const uploads = ledger.uploads.filter(({ account, test }) => account === index && !test).length;
    const returned = own.filter(({ view }) => view !== undefined && isOurFault(view)).length;
    const { answered = 0, unknown = 0 } = ledger.downloads[index] ?? {};
    const least = uploads + own.length - returned + answered;
    // A job that was erased may have failed through our fault before.
    const erased = own.filter(({ view }) => view === undefined).length;
    if (used < least - erased || used > least + unknown) {
      broken.push(
        `account ${index}: ${used} counted, where ${uploads} uploads + ${own.length} jobs − ${returned} given back + ` +
          `${answered} downloads = ${least} (${unknown} downloads without an answer, ${erased} erased)`,
      );
    }
  }
  return verdict("the quota equals the accepted requests less those given back", accounts.length, broken);
};

const webhooks = async (aftermath: Aftermath, jobs: readonly EndedJob[]): Promise<Verdict> => {
  const wanted = jobs.filter(({ facts, view }) => facts.plan.webhook && view !== undefined);
  const untold = await toldInTime(aftermath, wanted);
  const secrets = await secretsOf(aftermath);
  const broken = untold.map(({ id }) => `${id} was not told`);
  for (const { id, view, facts } of wanted) {
    const deliveries = aftermath.receiver.came.get(messageIdOf(id)) ?? [];
    const bodies = new Set(deliveries.map(({ body }) => body));
    if (bodies.size > 1) {
      broken.push(`${id} was told in ${bodies.size} ways`);
    }
    for (const { headers, body } of deliveries) {
      const said = JSON.parse(body) as { type: string; data: JobView };
      const isSigned = (secrets.get(facts.plan.account) ?? []).some((secret) => verifies(secret, body, headers));
      if (!isSigned || said.data.id !== id || said.type !== `job.${view?.status}`) {
        broken.push(`${id}: told ${said.type}, signed ${isSigned}, and it is ${view?.status}`);
      }
    }
  }
  return verdict("every end is told to its webhook, signed, and always the same", wanted.length, broken);
};

const messageIdOf = (jobId: string): string => jobId.replace("job_", "msg_");

const toldInTime = async (
  { target, receiver }: Aftermath,
  wanted: readonly EndedJob[],
): Promise<readonly EndedJob[]> => {
  let open = wanted;
  for (let step = 1; step <= STEPS_MAX && open.length > 0; step += 1) {
    target.setClock(step * STEP_MS);
    await target.sweep();
    const end = Date.now() + STEP_LOOK_MS;
    while (open.length > 0 && Date.now() < end) {
      open = open.filter(({ id }) => !receiver.came.has(messageIdOf(id)));
      await pause(open.length > 0 ? 500 : 0);
    }
  }
  return open;
};

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

/** The standard's package refuses what is minutes old or early; the service's clock jumped, so the time is not looked at. */
const verifies = (secret: string, body: string, headers: Readonly<Record<string, unknown>>): boolean => {
  const [id, seconds] = [String(headers["webhook-id"]), Number(headers["webhook-timestamp"])];
  const expected = new Webhook(secret).sign(id, new Date(seconds * 1_000), body);
  return String(headers["webhook-signature"]).split(" ").includes(expected);
};
