import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import { seeded } from "../support/random.ts";
import type { NewAccount } from "../support/services/local-service.ts";
import { makeInputs } from "./inputs.ts";
import type { Account, Verdict } from "./judge/aftermath.ts";
import { judge } from "./judge/judge.ts";
import { type Ledger, newLedger } from "./judge/ledger.ts";
import { contentOf, type Reference } from "./judge/reference.ts";
import { monkey } from "./monkey.ts";
import { ACCOUNTS, hasLarge, type PlannedJob, planLoad } from "./plan.ts";
import { downloaded, play } from "./play.ts";
import { startReceiver } from "./receiver.ts";
import { largeRecipe, type Recipe } from "./recipes.ts";
import { sendFile } from "./send-file.ts";
import { stubborn } from "./stubborn.ts";
import type { ChaosTarget } from "./target.ts";
import { awsChaos } from "./target-aws.ts";
import { localChaos } from "./target-local.ts";

export interface ChaosSettings {
  readonly target: "local" | "aws";
  readonly seed: number;
  readonly jobs: number;
  /** Continues up to this number of jobs until every fault has occurred. @default jobs */
  readonly jobsMax?: number;
  /** Concurrent clients. */
  readonly clients: number;
  readonly recipes: readonly Recipe[];
  /** Milliseconds that a client waits for its job before it takes the next one. @default 45,000 */
  readonly waitMsMax?: number;
}

/** The outcome of a run. */
export interface ChaosReport {
  readonly settings: ChaosSettings;
  /** Durations of the load, and of waiting for the end and checking it. */
  readonly seconds: { readonly played: number; readonly judged: number };
  readonly ledger: Ledger;
  readonly struck: ReadonlyMap<string, number>;
  readonly impossible: readonly string[];
  readonly ends: ReadonlyMap<string, number>;
  readonly verdicts: readonly Verdict[];
  /** Contains the service's log. */
  readonly folder: string;
}

/** Quota of an account, and of the last one, which uses it up: a part of what its jobs need. */
const REQUESTS = 1_000_000;
const SCARCE_SHARE = 0.3;

/** As many jobs wait at once as there are clients, unless their messages are lost: those return after two minutes. */
const WAIT_MS_MAX = 45_000;

/**
 * Per ended job, so that faults keep pace with the service. If they followed the clock alone, a busy machine would kill
 * the service just as often and start it ten times as slowly: it would be down most of the time.
 */
const TROUBLES_PER_JOB = 1;

/** Plays the load while faults occur, stops them, and checks every guarantee. */
export const chaos = async (settings: ChaosSettings): Promise<ChaosReport> => {
  const random = seeded(settings.seed);
  const folder = await mkdtemp(join(tmpdir(), `anyform-chaos-${settings.target}-`));
  const played = [...settings.recipes, ...(hasLarge(settings.jobs) ? [largeRecipe] : [])];
  const inputs = await makeInputs(played.flatMap(({ inputs: names }) => names));
  const receiver = await startReceiver(inputs, random);
  const target = await (settings.target === "local" ? localChaos(folder) : awsChaos(folder, random));
  const ledger = newLedger(ACCOUNTS);
  const send = stubborn(target.url, ledger);
  try {
    const accounts = await openAccounts(target, settings.jobs);
    const line = {
      send,
      inputs,
      filesUrl: receiver.url,
      webhookUrl: `${receiver.url}/hook`,
      run: String(settings.seed),
      waitMsMax: settings.waitMsMax ?? WAIT_MS_MAX,
    };
    const references = await referencesOf({ ...line, ledger: newLedger(1) }, await calmKey(target), played);
    const offered = settings.recipes.filter(({ name }) => references.has(name));
    const startedAt = Date.now();
    const trouble = monkey(target.faults, random);
    const plans = planLoad(settings.seed, settings.jobsMax ?? settings.jobs, offered);
    const isEnough = ({ number }: PlannedJob) => number >= settings.jobs && trouble.hasDoneAll();
    await playAll({ ...settings, plans, isEnough }, (plan) => {
      const account = accounts[plan.account];
      const key = (plan.test ? account?.test : account?.live) ?? "";
      return play({ ...line, ledger, key }, plan).then(
        (ended) => trouble.allow(ended ? TROUBLES_PER_JOB : 0),
        (error: unknown) => void ledger.wrongs.push(`Job ${plan.number} (${plan.recipe.name}): ${error}`),
      );
    });
    await trouble.stop();
    target.setClock(0);
    await target.calm();
    const calmAt = Date.now();
    const ends = new Map<string, number>();
    const verdicts = await judge({
      ...{ target, ledger, accounts, references, receiver, send, startedAt, ends },
      ahead: { ms: 0 },
    });
    const seconds = { played: since(startedAt, calmAt), judged: since(calmAt, Date.now()) };
    return { settings, seconds, ledger, struck: trouble.struck, impossible: target.impossible, ends, verdicts, folder };
  } finally {
    await target.stop();
    await receiver.close();
  }
};

const since = (from: number, to: number): number => Math.round((to - from) / 1_000);

const openAccounts = (target: ChaosTarget, jobs: number): Promise<Account[]> =>
  Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, index) => {
      const quota = index === ACCOUNTS - 1 ? Math.ceil((SCARCE_SHARE * jobs) / ACCOUNTS) : REQUESTS;
      const { account_id: id, api_key: live } = await openAccount(target, quota);
      const { api_key: test } = await target.accounts<NewAccount>(["create-key", "--account", id, "--test"]);
      return { id, live, test, quota };
    }),
  );

const openAccount = (target: ChaosTarget, quota: number): Promise<NewAccount> =>
  target.accounts<NewAccount>([
    "create",
    "--email",
    `chaos-${crypto.randomUUID()}@example.com`,
    "--plan",
    "enterprise",
    "--quota",
    String(quota),
  ]);

const calmKey = async (target: ChaosTarget): Promise<string> => (await openAccount(target, REQUESTS)).api_key;

type Line = Omit<Parameters<typeof play>[0], "key">;

/** @returns the result of each recipe without faults; recipes that this server does not support are omitted */
const referencesOf = async (
  line: Line,
  key: string,
  wanted: readonly Recipe[],
): Promise<ReadonlyMap<string, Reference>> => {
  const references = new Map<string, Reference>();
  for (const recipe of wanted) {
    const reference = await referenceOf(line, key, recipe);
    if (reference !== undefined) {
      references.set(recipe.name, reference);
    }
  }
  return references;
};

const CALM: Omit<PlannedJob, "recipe"> = {
  number: 0,
  account: 0,
  test: false,
  way: "form",
  breaksOff: false,
  webhook: false,
  requests: 1,
  late: false,
  downloads: false,
};

const referenceOf = async (line: Line, key: string, recipe: Recipe): Promise<Reference | undefined> => {
  const stage = { ...line, key };
  const plan = { ...CALM, recipe, way: recipe === largeRecipe ? "put" : "form" } as const;
  const ids: (string | undefined)[] = [];
  for (const [index, name] of recipe.inputs.entries()) {
    const input = line.inputs.get(name);
    ids.push(input && (await sendFile(stage, plan, input, `calm-${recipe.name}-${index}`.replace("→", "to"))));
  }
  const sources = ids.length === 1 ? { upload_id: ids[0] } : { upload_ids: ids };
  const body = JSON.stringify({ ...sources, target_format: recipe.target, options: recipe.options ?? {} });
  const headers = { "content-type": "application/json" };
  const created = await line.send({ method: "POST", path: "/api/v1/convert?wait=25", key, headers, body: () => body });
  let job = created.body as unknown as JobView;
  while (created.status < 300 && (job.status === "queued" || job.status === "processing")) {
    const path = `/api/v1/convert/${job.id}/status?wait=25`;
    job = (await line.send({ method: "GET", path, key })).body as unknown as JobView;
  }
  if (created.status >= 300) {
    return undefined;
  }
  const bytes = job.result === null ? undefined : await downloaded(stage, plan, job.result.download_token);
  const content = bytes && (await contentOf(bytes, job.result?.filename ?? ""));
  return { recipe, status: job.status, code: job.error?.code, content };
};

interface Load {
  readonly clients: number;
  readonly plans: readonly PlannedJob[];
  readonly isEnough: (next: PlannedJob) => boolean;
}

const playAll = async ({ clients, plans, isEnough }: Load, one: (plan: PlannedJob) => Promise<void>): Promise<void> => {
  const left = [...plans];
  const client = async (): Promise<void> => {
    for (let plan = left.shift(); plan !== undefined && !isEnough(plan); plan = left.shift()) {
      await one(plan);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
};
