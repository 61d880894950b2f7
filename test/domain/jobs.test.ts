import { describe, expect, it } from "vitest";
import { attemptsInLane, isUnfinished, type Job, leaseUntil } from "../../functions/domain/jobs/job.ts";
import {
  cancel,
  claim,
  expireResult,
  finish,
  isErasable,
  postpone,
  progress,
  release,
} from "../../functions/domain/jobs/transitions.ts";
import { completedOutcome, failedRecord, jobRecord, NOW } from "../support/world/records.ts";

/** The state machine of a job without a store: every transition from every state. */

const outcome = completedOutcome("job_1", 1);
const { result, timings, warnings } = outcome;
const gaveUp = failedRecord(true);
const options = { quality: 80, password: "secret" };
const processing = { status: "processing", attempt: 1, startedAt: NOW - 9 } as const;
const ended = { attempt: 1, startedAt: NOW - 9, finishedAt: NOW - 1, options: { quality: 80 } } as const;

const states = {
  queued: jobRecord({ options }),
  released: jobRecord({ options, attempt: 1, startedAt: NOW - 9 }),
  leased: jobRecord({ options, ...processing, dueAt: NOW }),
  expired: jobRecord({ options, ...processing, dueAt: NOW - 1 }),
  completed: jobRecord({ ...ended, status: "completed", progress: 100, result, timings, warnings }),
  failed: jobRecord({ ...ended, status: "failed", error: failedRecord(false).error }),
  cancelled: jobRecord({ ...ended, status: "cancelled" }),
} as const satisfies Record<string, Job>;

/** What every end of the job adds to the breakdown. */
const countedOf = ({ accountId, keyId = "", sourceFormat: source, targetFormat: target, inputBytes }: Job) => ({
  accountId,
  keyId,
  source,
  target,
  bytesIn: inputBytes,
  bytesOut: 0,
});

type StateName = keyof typeof states;
const names: readonly StateName[] = ["queued", "released", "leased", "expired", "completed", "failed", "cancelled"];

/** Each transition and the states that allow it. All other states reject it. */
const transitions: readonly [string, (job: Job) => object | undefined, readonly StateName[]][] = [
  ["claim", (job) => claim(job, NOW), ["queued", "released", "expired"]],
  ["claim by a message of its lane", (job) => claim(job, NOW, "fast"), ["queued", "released", "expired"]],
  ["claim by a message of another lane", (job) => claim(job, NOW, "documents"), []],
  ["move by attempt 1", (job) => release(job, 1, NOW + 5, { lane: "documents" }), ["leased", "expired"]],
  ["move by attempt 2", (job) => release(job, 2, NOW + 5, { lane: "documents" }), []],
  ["progress of attempt 1", (job) => progress(job, 1, 40), ["leased", "expired"]],
  ["progress of attempt 2", (job) => progress(job, 2, 40), []],
  ["progress of attempt 0", (job) => progress(job, 0, 40), []],
  ["release by attempt 1", (job) => release(job, 1, NOW + 5), ["leased", "expired"]],
  ["release by attempt 2", (job) => release(job, 2, NOW + 5), []],
  ["release by attempt 0", (job) => release(job, 0, NOW + 5), []],
  ["postpone", (job) => postpone(job, { from: job.dueAt, to: NOW + 5 }), ["queued", "released", "leased", "expired"]],
  ["postpone from another time", (job) => postpone(job, { from: job.dueAt + 1, to: NOW + 5 }), []],
  ["completion at attempt 1", (job) => finish(job, { attempt: 1, outcome }, NOW), ["released", "leased", "expired"]],
  ["completion at attempt 0", (job) => finish(job, { attempt: 0, outcome }, NOW), ["queued"]],
  ["completion at attempt 2", (job) => finish(job, { attempt: 2, outcome }, NOW), []],
  [
    "failure at attempt 1",
    (job) => finish(job, { attempt: 1, outcome: gaveUp }, NOW),
    ["released", "leased", "expired"],
  ],
  ["failure at attempt 0", (job) => finish(job, { attempt: 0, outcome: gaveUp }, NOW), ["queued"]],
  ["cancel", (job) => cancel(job, NOW), ["queued", "released", "leased", "expired"]],
  ["expiry of the result before its time", (job) => expireResult(job, NOW), ["completed"]],
  ["expiry of the result at its time", (job) => expireResult(job, result.expiresAt), []],
  ["deletion", (job) => (isErasable(job) ? {} : undefined), ["completed", "failed", "cancelled"]],
];

const cells = transitions.flatMap(([transition, decide, allowed]) =>
  names.map((name) => ({ transition, name, decide, allowed: allowed.includes(name) })),
);

describe("a job", () => {
  it.each(cells)("in state $name allows $transition: $allowed", ({ name, decide, allowed }) => {
    expect(decide(states[name]) !== undefined).toBe(allowed);
  });

  it.each(cells.filter(({ allowed }) => allowed))(
    "gets the same decision on $transition in state $name, whatever other fields have changed",
    ({ name, decide }) => {
      const job = states[name];
      expect(decide({ ...job, progress: 73, recordExpiresAt: 0, filename: "another.webp" })).toEqual(decide(job));
    },
  );
});

describe("what a transition changes", () => {
  const leased = leaseUntil("fast", NOW);

  it("claim: the next attempt, leased from now, with its first start", () => {
    expect(claim(states.queued, NOW)).toEqual({ status: "processing", attempt: 1, dueAt: leased, startedAt: NOW });
    for (const job of [states.released, states.expired]) {
      expect(claim(job, NOW)).toEqual({ status: "processing", attempt: 2, dueAt: leased, startedAt: NOW - 9 });
    }
  });

  it("progress: only the percentage", () => {
    expect(progress(states.leased, 1, 40)).toEqual({ progress: 40 });
  });

  it("release: back to queued, checked again at the given time; the attempt stays used", () => {
    expect(release(states.leased, 1, NOW + 5)).toEqual({ status: "queued", dueAt: NOW + 5 });
  });

  it("move: released into the other lane, where only messages of that lane claim it and attempts start again", () => {
    const changes = release(states.leased, 1, NOW + 5, { lane: "documents" });
    expect(changes).toEqual({ status: "queued", dueAt: NOW + 5, lane: "documents", movedAfter: 1 });
    const moved: Job = { ...states.leased, ...changes };
    expect(attemptsInLane(moved)).toBe(0);
    expect(claim(moved, NOW, "fast")).toBeUndefined();
    expect(claim(moved, NOW, "documents")).toMatchObject({ attempt: 2, dueAt: leaseUntil("documents", NOW) });
    expect(release(moved, 1, NOW + 5, { lane: "documents" })).toBeUndefined();
  });

  it("postpone: only the time of the next check", () => {
    expect(postpone(states.queued, { from: states.queued.dueAt, to: NOW + 5 })).toEqual({ dueAt: NOW + 5 });
  });

  it("completion: the result, 100 percent, counted on its day, and the password is removed", () => {
    const { accountId } = states.leased;
    const detail = countedOf(states.leased);
    expect(finish(states.leased, { attempt: 1, outcome }, NOW)).toStrictEqual({
      changes: {
        result,
        timings,
        warnings,
        progress: 100,
        status: "completed",
        finishedAt: NOW,
        options: { quality: 80 },
      },
      count: { accountId, month: "2026-11", day: 20, kind: "completed" },
      detail: { ...detail, day: 20, month: "2026-11", outcome: "completed", bytesOut: result.bytes },
    });
  });

  it("failure: the error, and the request is returned to its month only for an internal error", () => {
    const inDecember = Date.UTC(2026, 11, 1, 1);
    const [ours, theirs] = [failedRecord(true), failedRecord(false)];
    const { accountId } = states.leased;
    const count = { accountId, month: "2026-12", day: 1, kind: "failed" };
    const detail = { ...countedOf(states.leased), month: "2026-12", day: 1 };
    const changes = { status: "failed", finishedAt: inDecember, options: { quality: 80 } };
    expect(finish(states.leased, { attempt: 1, outcome: ours }, inDecember)).toStrictEqual({
      changes: { ...changes, error: ours.error },
      returnedTo: "2026-11",
      count,
      detail: { ...detail, outcome: "engine_crashed" },
    });
    expect(finish(states.leased, { attempt: 1, outcome: theirs }, inDecember)).toStrictEqual({
      changes: { ...changes, error: theirs.error },
      count,
      detail: { ...detail, outcome: "source_corrupt" },
    });
  });

  it("cancel: no result and no error, counted on its day, and no request is returned", () => {
    const { accountId } = states.queued;
    expect(cancel(states.queued, NOW)).toStrictEqual({
      changes: { status: "cancelled", finishedAt: NOW, options: { quality: 80 } },
      count: { accountId, month: "2026-11", day: 20, kind: "cancelled" },
      detail: { ...countedOf(states.queued), day: 20, month: "2026-11", outcome: "cancelled" },
    });
  });

  it("the end of a test key's job counts nothing and returns nothing", () => {
    const job = { ...states.leased, quotaMonth: "" };
    for (const end of [finish(job, { attempt: 1, outcome: gaveUp }, NOW), cancel(job, NOW)]) {
      expect(Object.keys(end ?? {})).toEqual(["changes"]);
    }
  });

  it("expiry: only the time of the result", () => {
    expect(expireResult(states.completed, NOW)).toEqual({ result: { ...result, expiresAt: NOW } });
  });

  it("every end is final", () => {
    for (const name of names.filter((each) => isUnfinished(states[each]))) {
      const job: Job = states[name];
      for (const end of [finish(job, { attempt: job.attempt, outcome }, NOW), cancel(job, NOW)]) {
        const over: Job = { ...job, ...end?.changes };
        expect(isUnfinished(over)).toBe(false);
        expect(finish(over, { attempt: job.attempt, outcome: gaveUp }, NOW)).toBeUndefined();
        expect(cancel(over, NOW)).toBeUndefined();
        expect(claim(over, Number.MAX_SAFE_INTEGER)).toBeUndefined();
      }
    }
  });
});
