import { monthOf } from "../../../functions/domain/accounts/quotas.ts";
import { jobErrors } from "../../../functions/domain/errors/job-errors.ts";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { ChaosTarget } from "../target.ts";
import { type Aftermath, AHEAD_MS_MAX, type EndedJob, letPass, type Verdict, verdict } from "./aftermath.ts";
import { judgeResults } from "./judge-results.ts";
import { judgeWebhooks } from "./judge-webhooks.ts";
import type { JobFacts } from "./ledger.ts";

/** Lets all jobs end, and then checks every guarantee against what the clients know. */
export const judge = async (aftermath: Aftermath): Promise<readonly Verdict[]> => {
  const { target, ledger, receiver } = aftermath;
  receiver.heal();
  const unfinished = await settled(aftermath);
  const jobs = await endedJobs(aftermath);
  count(aftermath.ends, jobs);
  const verdicts = [
    verdict("every request is answered correctly", ledger.requests, ledger.wrongs),
    verdict("every job ends", jobs.length, unfinished),
    ...(await onceEach(aftermath, jobs)),
    verdict(
      "each job ends as it does without faults, or fails through our fault",
      jobs.length,
      wrongEnds(aftermath, jobs),
    ),
    await judgeResults(aftermath, jobs),
    await quotas(aftermath, jobs),
    await judgeWebhooks(aftermath, jobs),
  ];
  const orphans = await target.orphans();
  const left = target.name === "aws" ? orphans.filter((key) => !/^(?:uploads|results)\//.test(key)) : orphans;
  return [...verdicts, verdict("no file remains without a record", jobs.length, left)];
};

const keyOf = ({ accounts }: Aftermath, { plan }: JobFacts): string => {
  const account = accounts[plan.account];
  return (plan.test ? account?.test : account?.live) ?? "";
};

const isOver = (status: unknown): boolean => status !== "queued" && status !== "processing";

/** Waits, and advances time. @returns the jobs that never ended */
const settled = async (aftermath: Aftermath): Promise<string[]> => {
  const { ledger } = aftermath;
  const jobs = ledger.jobs.flatMap((facts) => [...facts.ids].map((id) => ({ id, key: keyOf(aftermath, facts) })));
  const open = await letPass(aftermath, jobs, async (waiting) => {
    const looks = await Promise.all(waiting.map(async (job) => ({ job, view: await look(aftermath, job) })));
    return looks.filter(({ view }) => view !== undefined && !isOver(view.status)).map(({ job }) => job);
  });
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

/** Each accepted request has its job, each key has one job, and no account has a job that nobody requested. */
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
    verdict("every idempotency key has one job, and no other jobs exist", ledger.jobs.length, doubled),
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
    return isRight
      ? []
      : [`${id} (${facts.plan.recipe.name}) ${view.status} ${view.error?.code ?? ""} ${view.error?.detail ?? ""}`];
  });

/**
 * The count is the accepted requests minus the refunds. For downloads without a response it is not known. Downloads
 * after the quota is used up are not counted, and a refund before them does not change that.
 */
const quotas = async (
  { target, accounts, ledger, startedAt }: Aftermath,
  jobs: readonly EndedJob[],
): Promise<Verdict> => {
  const broken: string[] = [];
  const months = new Set([monthOf(startedAt - AHEAD_MS_MAX), monthOf(Date.now() + AHEAD_MS_MAX)]);
  const uses = await Promise.all(accounts.map(({ id }) => usedIn(target, id, months)));
  for (const [index, used] of uses.entries()) {
    const own = jobs.filter(({ facts }) => facts.plan.account === index && !facts.plan.test);
    const uploads = ledger.uploads.filter(({ account, test }) => account === index && !test).length;
    const returned = own.filter(({ view }) => view !== undefined && isOurFault(view)).length;
    const { answered = 0, unknown = 0 } = ledger.downloads[index] ?? {};
    const least = uploads + own.length - returned + answered;
    // A job that was erased may have failed through our fault before.
    const erased = own.filter(({ view }) => view === undefined).length;
    const { quota } = accounts[index] ?? { quota: 0 };
    if (used < Math.min(least, quota - returned) - erased || used > Math.min(least + unknown, quota * months.size)) {
      broken.push(
        `account ${index}: ${used} counted, expected ${uploads} uploads + ${own.length} jobs − ${returned} refunded + ` +
          `${answered} downloads = ${least} (${unknown} downloads without an answer, ${erased} erased)`,
      );
    }
  }
  return verdict("the quota equals the accepted requests minus refunds", accounts.length, broken);
};

const usedIn = async ({ accounts }: ChaosTarget, id: string, months: ReadonlySet<string>): Promise<number> => {
  let sum = 0;
  for (const month of months) {
    const { used } = await accounts<{ used: number }>(["usage", "--account", id, "--month", month]);
    sum += used;
  }
  return sum;
};
