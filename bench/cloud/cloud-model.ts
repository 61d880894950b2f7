import { type LaneId, laneIds } from "../../functions/domain/conversions/lanes.ts";
import { AT_ONCE, FUNCTIONS, REQUESTS_PER_SECOND, TABLE_WRITES } from "../../infra/settings/capacity.ts";

/**
 * A model of the deployment under load: arrivals, functions that scale at Lambda's rate, queues, tables that warm up. It
 * runs in steps of one second and tracks counts, not single jobs. Each number cites its source; none was measured on AWS.
 */

/** A limit that an operator configures, or requests from AWS. */
export interface Setting {
  readonly name: string;
  readonly value: number;
  /** The default of a new deployment in a new account, the maximum, and how to raise it. */
  readonly how: string;
  readonly max: number;
}

/** Converters of a lane: the default of a deployment, and the maximum of an event source. */
const converters = (lane: LaneId): Setting => ({
  name: `converters of the ${lane} lane`,
  value: AT_ONCE[lane],
  how: `-c atOnce=${lane}:NUMBER`,
  max: FUNCTIONS.max,
});

export const settings = {
  stageRequests: {
    name: "requests per second of the API",
    value: REQUESTS_PER_SECOND,
    how: "-c requestsPerSecond=NUMBER",
    max: 1e9,
  },
  accountRequests: {
    name: "requests per second of all HTTP APIs of the account and region",
    value: 10_000,
    how: "quota L-8A5B8E43, by request",
    max: 1e9,
  },
  functions: {
    name: "concurrent functions in the account and region",
    value: 1_000,
    how: "quota L-B99A9384, by request (tens of thousands)",
    max: 1e9,
  },
  fast: converters("fast"),
  data: converters("data"),
  documents: converters("documents"),
  media: converters("media"),
  web: converters("web"),
  tableWrites: {
    name: "write units per second of cold jobs and quotas tables",
    value: TABLE_WRITES.min,
    how: "-c tableWrites=NUMBER, or half an hour of slow growth",
    max: 1e9,
  },
  tableQuota: {
    name: "write units per second of one table",
    value: 40_000,
    how: "quota L-F98FE922, by request",
    max: 1e9,
  },
  prefixPuts: {
    name: "PUTs per second of one S3 prefix",
    value: 3_500,
    how: "S3 splits prefixes automatically within minutes; IDs start with a timestamp, so a deployment of this size distributes accounts over several stacks",
    max: 1e9,
  },
  stacks: {
    name: "deployments that accounts are distributed over",
    value: 1,
    how: "one lane is limited to 1,000 converters, the maximum of an event source; each additional stack has separate tables, buckets and queues",
    max: 1_000,
  },
  accounts: {
    name: "accounts that share the load evenly",
    value: 1_000,
    how: "the counts of an account with a quota of 10,000 or more are 32 records of one partition, which accepts 1,000 write units per second: 125 conversions per second per account",
    max: 1e9,
  },
} satisfies Record<string, Setting>;

export type SettingId = keyof typeof settings;
export type Values = Readonly<Record<SettingId, number>>;

/** A lane's share of all conversions, and the duration of one. */
export interface LaneLoad {
  readonly share: number;
  readonly seconds: number;
}

export interface Load {
  readonly perSecond: number;
  readonly lanes: Readonly<Record<LaneId, LaneLoad>>;
  /** API requests per conversion, and the function seconds of the short ones. */
  readonly requests: number;
  readonly requestSeconds: number;
  /** Write units per conversion in the jobs table and in the records of the account's month. */
  readonly tableWrites: number;
  readonly countWrites: number;
}

/** Result of a simulation. */
export interface Outcome {
  /** The first limit that was exceeded, and when, in seconds; undefined if none was. */
  readonly first?: { readonly setting: SettingId; readonly second: number; readonly needed: number };
  /** Share of rejected requests (429 or 503). */
  readonly refused: number;
  /** Final queue time of a job in the slowest lane, in seconds. */
  readonly waitSeconds: number;
  /** Maximum of concurrent functions. */
  readonly functions: number;
}

const SECONDS = 3_600;
/** Instances that each function can add per 10 seconds (Lambda Developer Guide, "Lambda scaling behavior"). */
const INSTANCES_PER_SECOND = 100;
/** A queue's pollers start with 5 functions and add 300 per minute (same guide, "Using Lambda with Amazon SQS"). */
const POLLERS = { first: 5, perSecond: 5 };
/** A table immediately accepts twice its previous peak (DynamoDB Developer Guide, "On-demand capacity mode"). */
const WARMING_SECONDS = 1_800;
/** Of one partition (DynamoDB Developer Guide, "Burst and adaptive capacity"); a busy one is split within minutes. */
const PARTITION_WRITES = 1_000;
/** Queue time from which a queue counts as unbounded. */
const WAIT_SECONDS_MAX = 60;
/** Maximum time that a waiting client occupies a function. */
const HELD_SECONDS_MAX = 25;

/** Simulates an hour of constant load, which is the same in each stack. */
export const simulate = (all: Load, given: Values): Outcome => {
  const { stacks } = given;
  const load = { ...all, perSecond: all.perSecond / stacks };
  // Account limits are shared by all stacks.
  const values = { ...given, functions: given.functions / stacks, accountRequests: given.accountRequests / stacks };
  let first: Outcome["first"];
  let [requested, refused, functions] = [0, 0, 0];
  let apiInstances = 0;
  let warmWrites = values.tableWrites;
  const lanes = laneIds.map(
    (id): LaneState => ({ id, ...load.lanes[id], queued: 0, converters: POLLERS.first, running: 0 }),
  );
  const meet = (setting: SettingId, second: number, needed: number): void => {
    first ??= { setting, second, needed: setting === "accountRequests" ? needed * stacks : needed };
  };
  for (let second = 1; second <= SECONDS; second += 1) {
    const wanted = load.perSecond * load.requests;
    requested += wanted;
    const limits = requestLimits(load, values, warmWrites);
    const tightest = limits.toSorted((one, other) => one.conversions - other.conversions)[0];
    const taken = Math.min(load.perSecond, tightest?.conversions ?? 0);
    if (tightest !== undefined && taken < load.perSecond) {
      meet(tightest.setting, second, tightest.needed);
    }
    const waits = lanes.map((lane) => drain(lane, taken, values[lane.id]));
    const held = lanes.reduce(
      (sum, { share, seconds }, index) => sum + share * Math.min(HELD_SECONDS_MAX, (waits[index] ?? 0) + seconds),
      0,
    );
    const api = taken * ((load.requests - 1) * load.requestSeconds + held);
    apiInstances = Math.min(api, apiInstances + INSTANCES_PER_SECOND * load.requests);
    const converting = lanes.reduce((sum, { running }) => sum + running, 0);
    const running = api + converting;
    functions = Math.max(functions, stacks * Math.min(running, values.functions));
    const overload = Math.max(1 - values.functions / running, 1 - apiInstances / api, 0);
    if (running > values.functions) {
      meet("functions", second, Math.ceil(running * stacks));
    }
    refused += wanted - taken * load.requests * (1 - overload);
    for (const [index, lane] of lanes.entries()) {
      if ((waits[index] ?? 0) > WAIT_SECONDS_MAX) {
        meet(lane.id, second, Math.ceil(load.perSecond * lane.share * lane.seconds));
      }
    }
    if (second % WARMING_SECONDS === 0) {
      warmWrites = Math.max(warmWrites, 2 * taken * load.tableWrites);
    }
  }
  const waitSeconds = Math.max(...lanes.map((lane) => waitOf(lane, values[lane.id])));
  return { ...(first && { first }), refused: refused / requested, waitSeconds, functions };
};

interface LaneState extends LaneLoad {
  readonly id: LaneId;
  queued: number;
  converters: number;
  running: number;
}

/** One second of a lane. @returns the queue time of a job that arrives now, in seconds */
const drain = (lane: LaneState, conversions: number, max: number): number => {
  const perSecond = conversions * lane.share;
  lane.converters = Math.min(max, lane.converters + POLLERS.perSecond);
  const needed = (lane.queued + perSecond) * lane.seconds;
  lane.running = Math.min(lane.converters, needed);
  lane.queued = Math.max(0, lane.queued + perSecond - lane.running / lane.seconds);
  return waitOf(lane, max);
};

const waitOf = ({ queued, seconds }: LaneState, max: number): number => (queued * seconds) / max;

/** @returns the throughput that each request limit allows, in conversions per second, and the required limit */
const requestLimits = (
  { perSecond, requests, tableWrites, countWrites }: Load,
  values: Values,
  warmWrites: number,
): { setting: SettingId; conversions: number; needed: number }[] => [
  { setting: "stageRequests", conversions: values.stageRequests / requests, needed: perSecond * requests },
  { setting: "accountRequests", conversions: values.accountRequests / requests, needed: perSecond * requests },
  { setting: "tableQuota", conversions: values.tableQuota / tableWrites, needed: perSecond * tableWrites },
  { setting: "tableWrites", conversions: warmWrites / tableWrites, needed: perSecond * tableWrites },
  { setting: "prefixPuts", conversions: values.prefixPuts, needed: perSecond },
  {
    setting: "accounts",
    conversions: (PARTITION_WRITES / countWrites) * values.accounts,
    needed: Math.ceil((perSecond * countWrites) / PARTITION_WRITES),
  },
];
