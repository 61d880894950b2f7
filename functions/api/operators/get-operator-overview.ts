import { FILE_RETENTION_MS, RECORD_RETENTION_MS } from "../../domain/limits.ts";
import type { LaneLoad } from "../../domain/operators/operating.ts";
import { type OperatorOverviewView, operatorOverviewSchema } from "../../domain/operators/operator-views.ts";
import type { Context } from "../../domain/ports.ts";
import { type EngineFailure, firstStatusDay } from "../../domain/status/engine-days.ts";
import { DAY_MS, HOUR_MS, timestamp } from "../../domain/times.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { requireOperator } from "./require-operator.ts";

/** Returns the queues, failures, space and settings of the deployment. */
export const getOperatorOverview = operation({
  id: "getOperatorOverview",
  methods: ["GET"],
  path: "/api/v1/session/operator",
  auth: "session",
  permissions: {
    tables: { ...keyed, quotas: ["Query", "UpdateItem"] },
    only: signedIn(),
    operates: true,
    watches: true,
  },
  tag: "Operators",
  summary: "Retrieve the state of the service",
  description:
    "Returns the queue of each lane, the failures of each engine with an example, free space, retention and settings. Only for operators of this deployment.",
  answers: { 200: { description: "The state of the service.", examples: ["operatorOverview"] } },
  errors: ["not_found"],
  examples: ({ jobs, time }) => ({
    operatorOverview: example("OperatorOverview", "A service that failed once", {
      version: "0.1.0",
      lanes: [laneView({ lane: "fast", waiting: 3, active: 2, dead: 0, oldestMs: 850 })],
      disk: { free_bytes: 80_000_000_000, total_bytes: 250_000_000_000 },
      retention: retention(),
      failures: [
        {
          engine: "soffice",
          failed: 1,
          example: failureView({
            engine: "soffice",
            jobId: jobs.queued.id,
            accountId: jobs.queued.accountId,
            source: "docx",
            target: "pdf",
            code: "engine_failed",
            detail: "The conversion failed due to an internal error.",
            at: time,
          }),
        },
      ],
      engines: { soffice: "25.8.3" },
      settings: { ANYFORM_VISITORS: "true" },
    } satisfies OperatorOverviewView),
  }),
  schemas: () => ({ OperatorOverview: operatorOverviewSchema }),
  run: (context) => async (request) => {
    const { operating } = requireOperator(context, request);
    const [lanes, disk, failures] = await Promise.all([
      operating.lanes(),
      operating.disk(),
      failuresOf(context, request.now),
    ]);
    const body: OperatorOverviewView = {
      version: operating.version,
      lanes: lanes.map(laneView),
      disk: disk === undefined ? null : { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes },
      retention: retention(),
      failures,
      engines: Object.fromEntries(context.engines),
      settings: Object.fromEntries(operating.settings),
    };
    return { status: 200, body };
  },
});

const laneView = ({ lane, waiting, active, dead, oldestMs }: LaneLoad): OperatorOverviewView["lanes"][number] => ({
  lane,
  waiting,
  active,
  dead: dead ?? null,
  oldest_ms: oldestMs ?? null,
});

const retention = (): OperatorOverviewView["retention"] => ({
  files_hours: FILE_RETENTION_MS / HOUR_MS,
  records_days: RECORD_RETENTION_MS / DAY_MS,
});

const failuresOf = async ({ engineDays }: Context, now: number): Promise<OperatorOverviewView["failures"]> => {
  const [days = new Map(), examples = []] = await Promise.all([
    engineDays?.since(firstStatusDay(now)),
    engineDays?.failures(),
  ]);
  const failed = new Map<string, number>();
  for (const { engine, count, value } of [...days.values()].flat()) {
    if (count === "failed") {
      failed.set(engine, (failed.get(engine) ?? 0) + value);
    }
  }
  const lastOf = new Map<string, EngineFailure>(examples.map((failure) => [failure.engine, failure]));
  return [...failed]
    .map(([engine, number]) => {
      const last = lastOf.get(engine);
      return { engine, failed: number, example: last === undefined ? null : failureView(last) };
    })
    .toSorted((one, other) => other.failed - one.failed || one.engine.localeCompare(other.engine));
};

const failureView = (failure: EngineFailure): NonNullable<OperatorOverviewView["failures"][number]["example"]> => ({
  job_id: failure.jobId,
  account_id: failure.accountId,
  source_format: failure.source,
  target_format: failure.target,
  code: failure.code,
  detail: failure.detail,
  at: timestamp(failure.at),
});
