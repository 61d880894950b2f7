import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ApiProblem } from "../../dashboard/api.ts";
import { FOLLOWED_MAX, followJobs } from "../../dashboard/pages/jobs/follow.ts";
import { durationOf, filterOf, type Job, nameOf, withChanges } from "../../dashboard/pages/jobs/job-list.ts";
import { nextPosition, positionOf, previousPosition, queryOf } from "../../dashboard/ui/paging.ts";

const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  status: "queued",
  progress: 0,
  upload_id: "upl_1",
  upload_ids: ["upl_1"],
  source_filename: "a.heic",
  key_id: null,
  export: null,
  pipeline_id: null,
  source_format: "heic",
  target_format: "jpg",
  options: {},
  steps: [],
  fidelity: "lossy",
  metadata: {},
  created_at: "2026-11-21T12:00:00Z",
  started_at: null,
  finished_at: null,
  expires_at: null,
  result: null,
  warnings: [],
  error: null,
  ...more,
});

describe("the list of jobs", () => {
  test("keeps the place of a changed job and removes a deleted one", () => {
    const jobs = [job("job_1"), job("job_2"), job("job_3")];
    const changed = withChanges(
      jobs,
      new Map([
        ["job_2", job("job_2", { status: "completed" })],
        ["job_3", null],
      ]),
    );
    expect(changed.map(({ id, status }) => `${id} ${status}`)).toEqual(["job_1 queued", "job_2 completed"]);
  });

  test("shows all jobs for an unknown filter", () => {
    expect(filterOf("failed")).toBe("failed");
    expect(filterOf("toString")).toBe("all");
    expect(filterOf(null)).toBe("all");
  });

  test("names a job by its file, otherwise by its formats and the end of its id", () => {
    expect(nameOf(job("job_0351abcd"))).toBe("a.heic");
    expect(nameOf(job("job_0351abcd", { source_filename: null }))).toBe("heic → jpg …abcd");
  });

  test("measures the duration from the start of the latest attempt to the end", () => {
    expect(durationOf(job("job_1"))).toBeUndefined();
    const ended = { started_at: "2026-11-21T12:00:01Z", finished_at: "2026-11-21T12:00:03.500Z" };
    expect(durationOf(job("job_1", ended))).toBe(2_500);
  });
});

describe("pages of a list", () => {
  test("go back through the visited pages", () => {
    const first = positionOf("?status=failed", null);
    const third = nextPosition(nextPosition(first, "job_b"), "job_c");
    expect(third).toEqual({ after: "job_c", trail: ["", "job_b"] });
    expect(previousPosition(third)).toEqual({ after: "job_b", trail: [""] });
    expect(previousPosition(previousPosition(third))).toEqual({ after: undefined, trail: [] });
  });

  test("go back to the first page after following a link", () => {
    expect(previousPosition(positionOf("?after=job_z", null))).toEqual({ after: undefined, trail: [] });
    expect(positionOf("?after=job_z", [1, "job_a", { evil: true }])).toEqual({ after: "job_z", trail: ["job_a"] });
  });

  test("have an encoded query with the values that are set", () => {
    expect(queryOf({ limit: "20", status: undefined, after: "" })).toBe("?limit=20");
    expect(queryOf({ status: "a&b" })).toBe("?status=a%26b");
    expect(queryOf({})).toBe("");
  });
});

describe("polling jobs", () => {
  const never = new AbortController().signal;

  test("continues until all jobs have ended, at most four at a time", async () => {
    let [now, most] = [0, 0];
    const polls = new Map<string, number>();
    const ended: string[] = [];
    await followJobs({
      jobs: Array.from({ length: 9 }, (_, index) => job(`job_${index}`)),
      read: async ({ id }) => {
        now += 1;
        most = Math.max(most, now);
        await sleep(1);
        now -= 1;
        polls.set(id, (polls.get(id) ?? 0) + 1);
        return job(id, { status: (polls.get(id) ?? 0) < 3 ? "processing" : "completed" });
      },
      onJob: ({ id, status }) => status === "completed" && ended.push(id),
      onGone: () => expect.unreachable(),
      signal: never,
    });
    expect(most).toBe(FOLLOWED_MAX);
    expect(ended.toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `job_${index}`));
  });

  test("reports deleted jobs, and retries while the service cannot be reached", async () => {
    const gone: string[] = [];
    const seen: string[] = [];
    let tries = 0;
    await followJobs({
      jobs: [job("job_deleted"), job("job_kept")],
      read: async ({ id }) => {
        if (id === "job_deleted") {
          throw new ApiProblem({ code: "not_found", status: 404, detail: "Job not found." });
        }
        tries += 1;
        if (tries < 3) {
          throw new ApiProblem({ code: "not_reachable", detail: "No connection." });
        }
        return job(id, { status: "failed" });
      },
      onJob: ({ id }) => seen.push(id),
      onGone: (id) => gone.push(id),
      signal: never,
      retryMs: 1,
    });
    expect(gone).toEqual(["job_deleted"]);
    expect(seen).toEqual(["job_kept"]);
  });

  test("stops when aborted, without further reports", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    await followJobs({
      jobs: [job("job_1"), job("job_2")],
      read: async ({ id }) => {
        controller.abort();
        return job(id, { status: "processing" });
      },
      onJob: ({ id }) => seen.push(id),
      onGone: () => expect.unreachable(),
      signal: controller.signal,
    });
    expect(seen).toEqual([]);
  });
});
