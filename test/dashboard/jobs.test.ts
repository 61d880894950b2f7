import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ApiProblem } from "../../dashboard/api.ts";
import { FOLLOWED_MAX, followJobs } from "../../dashboard/pages/jobs/follow.ts";
import { filterOf, type Job, nameOf, tookOf, withChanges } from "../../dashboard/pages/jobs/job-list.ts";
import { placeBefore, placeBehind, placeOf, queryOf } from "../../dashboard/ui/paging.ts";

const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  status: "queued",
  progress: 0,
  upload_id: "upl_1",
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
  test("a job that changed keeps its place, and one that is gone leaves it", () => {
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

  test("a filter that nobody knows shows all", () => {
    expect(filterOf("failed")).toBe("failed");
    expect(filterOf("toString")).toBe("all");
    expect(filterOf(null)).toBe("all");
  });

  test("a job is named by its result, else by its formats and the end of its id", () => {
    expect(nameOf(job("job_0351abcd"))).toBe("heic → jpg …abcd");
  });

  test("it took from the beginning of its latest attempt to its end", () => {
    expect(tookOf(job("job_1"))).toBeUndefined();
    const ended = { started_at: "2026-11-21T12:00:01Z", finished_at: "2026-11-21T12:00:03.500Z" };
    expect(tookOf(job("job_1", ended))).toBe(2_500);
  });
});

describe("pages of a list", () => {
  test("one goes back the way that one came", () => {
    const first = placeOf("?status=failed", null);
    const third = placeBehind(placeBehind(first, "job_b"), "job_c");
    expect(third).toEqual({ after: "job_c", trail: ["", "job_b"] });
    expect(placeBefore(third)).toEqual({ after: "job_b", trail: [""] });
    expect(placeBefore(placeBefore(third))).toEqual({ after: undefined, trail: [] });
  });

  test("behind a link that was followed, back leads to the first page", () => {
    expect(placeBefore(placeOf("?after=job_z", null))).toEqual({ after: undefined, trail: [] });
    expect(placeOf("?after=job_z", [1, "job_a", { evil: true }])).toEqual({ after: "job_z", trail: ["job_a"] });
  });

  test("a query has what is given, encoded", () => {
    expect(queryOf({ limit: "20", status: undefined, after: "" })).toBe("?limit=20");
    expect(queryOf({ status: "a&b" })).toBe("?status=a%26b");
    expect(queryOf({})).toBe("");
  });
});

describe("following jobs", () => {
  const never = new AbortController().signal;

  test("all are followed to their ends, no more than four at once", async () => {
    let [now, most] = [0, 0];
    const looks = new Map<string, number>();
    const ended: string[] = [];
    await followJobs({
      jobs: Array.from({ length: 9 }, (_, index) => job(`job_${index}`)),
      read: async ({ id }) => {
        now += 1;
        most = Math.max(most, now);
        await sleep(1);
        now -= 1;
        looks.set(id, (looks.get(id) ?? 0) + 1);
        return job(id, { status: (looks.get(id) ?? 0) < 3 ? "processing" : "completed" });
      },
      onJob: ({ id, status }) => status === "completed" && ended.push(id),
      onGone: () => expect.unreachable(),
      signal: never,
    });
    expect(most).toBe(FOLLOWED_MAX);
    expect(ended.toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `job_${index}`));
  });

  test("one that was erased meanwhile is told, and a service that is not reached is asked again", async () => {
    const gone: string[] = [];
    const seen: string[] = [];
    let tries = 0;
    await followJobs({
      jobs: [job("job_erased"), job("job_kept")],
      read: async ({ id }) => {
        if (id === "job_erased") {
          throw new ApiProblem({ code: "not_found", status: 404, detail: "There is no such job." });
        }
        tries += 1;
        if (tries < 3) {
          throw new ApiProblem({ code: "not_reachable", detail: "No line." });
        }
        return job(id, { status: "failed" });
      },
      onJob: ({ id }) => seen.push(id),
      onGone: (id) => gone.push(id),
      signal: never,
      retryMs: 1,
    });
    expect(gone).toEqual(["job_erased"]);
    expect(seen).toEqual(["job_kept"]);
  });

  test("it ends when one leaves the page, and tells nothing after that", async () => {
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
