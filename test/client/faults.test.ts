import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job } from "../../client/api.ts";
import { type Anyform, createClient } from "../../client/node.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";
import { type FaultyProxy, faultyProxy } from "./support/faulty-proxy.ts";

const CONVERSIONS = 200;
const picture = join(import.meta.dirname, "../fixtures/sample.png");

let service: LocalService;
let proxy: FaultyProxy;
let apiKey: string;
beforeAll(async () => {
  service = await startLocalService({ env: { ANYFORM_API_PROCESSES: "2" } });
  proxy = await faultyProxy(service.url);
  apiKey = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
});
afterAll(async () => {
  proxy.close();
  await service.stop();
  await service.erase();
});

/** @returns all jobs of the account, from all pages */
const allJobs = async (client: Anyform): Promise<Job[]> => {
  const all: Job[] = [];
  for (let after: string | undefined | null; after !== null; ) {
    const { jobs, next } = await client.jobs({ limit: 100, after });
    all.push(...jobs);
    after = next;
  }
  return all;
};

describe("a client whose connection loses, truncates, repeats or rejects every fifth request", () => {
  it("gets every result complete, creates one job each, and only counts accepted requests", async () => {
    const client = createClient({ apiKey, baseUrl: proxy.url });
    const inputs = Array.from({ length: CONVERSIONS }, () => picture);
    const outcomes = await client.convertMany(inputs, "jpg", { concurrency: 8 });
    expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
    const files = await Promise.all(outcomes.map(({ file }) => file?.bytes()));
    expect(files.filter((bytes) => bytes?.[0] === 0xff && bytes[1] === 0xd8)).toHaveLength(CONVERSIONS);

    const direct = createClient({ apiKey, baseUrl: service.url });
    const jobs = await allJobs(direct);
    expect(jobs).toHaveLength(CONVERSIONS);
    expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(new Set(outcomes.map(({ file }) => file?.job.id)).size).toBe(CONVERSIONS);
    // A repeated conversion is idempotent. A result that was truncated is downloaded, which counts.
    const downloads = proxy.accepted.get("GET download") ?? 0;
    expect(downloads).toBeGreaterThan(0);
    expect((await direct.account()).quota.used).toBe(CONVERSIONS + downloads);
    expect([...proxy.struck.keys()]).toHaveLength(7);
  }, 300_000);
});
