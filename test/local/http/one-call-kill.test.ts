import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import { fixture } from "../../e2e/suite/target.ts";
import { type ApiClient, apiClient } from "../../support/services/client.ts";
import {
  accountsCommand,
  type LocalService,
  type NewAccount,
  startLocalService,
} from "../../support/services/local-service.ts";

/** The service is killed while it converts small files in one call. */

const CLIENTS = 16;
const KILLS = 3;
const ANSWERS_BEFORE_KILL = 40;

let service: LocalService;
let client: ApiClient;
let key: string;

const start = async (dataDir?: string): Promise<void> => {
  service = await startLocalService(dataDir === undefined ? {} : { dataDir });
};
beforeEach(async () => {
  await start();
  const args = ["create", "--email", "kill@example.com", "--plan", "enterprise", "--quota", "100000"];
  key = (await accountsCommand<NewAccount>(args, { DATA_DIR: service.dataDir })).api_key;
  client = await apiClient(service.url, key);
});
afterEach(async () => {
  await service.stop();
  await service.erase();
});

const used = async () => (await client.call<{ used: number }>("/api/v1/account/use")).body.used;

const allJobs = async (): Promise<JobView[]> => {
  const jobs: JobView[] = [];
  for (let path = "/api/v1/convert?limit=100"; path !== ""; ) {
    const page = (await client.call<{ jobs: JobView[]; next: string | null }>(path)).body;
    jobs.push(...page.jobs);
    path = page.next === null ? "" : `/api/v1/convert?limit=100&after=${page.next}`;
  }
  return jobs;
};

it("what was answered is counted and recorded once, with its result if it is read later; what was not is counted with its record or not at all", async () => {
  const png = new Uint8Array(await readFile(fixture("sample.png")));
  /** SHA-256 of the results by job; of those in responses, and of those that the service must keep. */
  const [answered, kept] = [new Map<string, string>(), new Map<string, string>()];
  const convertUntilKilled = async (accept: string): Promise<void> => {
    for (;;) {
      const response = await fetch(new URL("/api/v1/convert?target_format=jpg&source_filename=a.png", client.url), {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "image/png", accept },
        body: png,
      });
      expect(response.status).toBe(200);
      if (accept === "application/json") {
        const { id, result } = (await response.json()) as JobView;
        kept.set(id, result?.sha256 ?? "");
      } else {
        await response.arrayBuffer();
        answered.set(response.headers.get("x-job-id") ?? "", response.headers.get("etag")?.slice(1, -1) ?? "");
      }
    }
  };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      convertUntilKilled(index % 2 === 0 ? "*/*" : "application/json").catch((error: unknown) => error),
    );
    await expect.poll(() => Math.min(answered.size, kept.size) * 2).toBeGreaterThan(kill * ANSWERS_BEFORE_KILL);
    await service.kill();
    const ends = await Promise.all(clients);
    expect(ends.every((error) => error instanceof TypeError)).toBe(true);
    await start(service.dataDir);
    client = await apiClient(service.url, key);
    // On a busy machine, jobs that found no free converter were queued. They continue.
    const unfinished = async () => (await allJobs()).filter(({ status }) => !["completed", "expired"].includes(status));
    await expect.poll(unfinished).toEqual([]);
    const jobs = await allJobs();
    expect(await used()).toBe(jobs.length);
    const recorded = new Map(jobs.map(({ id, result }) => [id, result?.sha256]));
    expect([...kept].filter(([id, sha256]) => recorded.get(id) !== sha256)).toEqual([]);
    // The file of a result that the client has received may be lost, its record is not.
    const wrong = [...answered].filter(([id, sha256]) => ![sha256, undefined].includes(recorded.get(id)));
    expect([...wrong, ...[...answered.keys()].filter((id) => !recorded.has(id))]).toEqual([]);
    expect(jobs.length - answered.size - kept.size).toBeLessThanOrEqual(kill * CLIENTS);
  }
  const last = (await allJobs()).find(({ id }) => kept.has(id));
  const { bytes } = await client.download(last?.result?.download_token ?? "");
  expect(bytes.length).toBe(last?.result?.size);
});
