import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { PipelineView } from "../../functions/domain/pipelines/pipeline-views.ts";
import { type ApiClient, apiClient } from "../support/services/client.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";
import { fixture } from "./suite/target.ts";

/** Pipelines of a service that ends without warning. */

let service: LocalService;
afterEach(async () => {
  await service.stop();
  await service.erase();
});

const clientOf = async (running: LocalService): Promise<ApiClient> =>
  apiClient(running.url, (await readFile(join(running.dataDir, "api-key"), "utf8")).trim());

const requestsOf = async (client: ApiClient): Promise<number> =>
  (await client.call<{ quota: { used: number } }>("/api/v1/account")).body.quota.used;

/** The first steps take long enough that the service is ended between others. */
const steps = [
  { name: "one", operation: "convert", target_format: "avif" },
  { name: "two", operation: "convert", target_format: "png" },
  { name: "three", operation: "resize", options: { width: 64 } },
  { name: "four", operation: "convert", target_format: "webp" },
  { name: "five", operation: "convert", from: "three", target_format: "jpg" },
];

const completedIn = ({ steps: all }: PipelineView): number =>
  all.filter(({ status }) => status === "completed" || status === "expired").length;

describe("a service that is killed", () => {
  test("continues its pipelines at the next start, and neither repeats nor counts anything twice", async () => {
    service = await startLocalService();
    let client = await clientOf(service);
    const { body: upload } = await client.upload(fixture("sample.png"));
    const create = () =>
      client.call<PipelineView>("/api/v1/pipelines", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "the same" },
        body: JSON.stringify({ inputs: { photo: upload.upload_id }, steps }),
      });
    const { body: created } = await create();
    const { dataDir } = service;
    const read = async (query = ""): Promise<PipelineView> =>
      (await client.call<PipelineView>(`/api/v1/pipelines/${created.id}${query}`)).body;
    for (let kills = 1; kills <= 2; kills += 1) {
      await expect.poll(async () => completedIn(await read())).toBeGreaterThanOrEqual(kills);
      await service.kill();
      service = await startLocalService({ dataDir });
      client = await clientOf(service);
    }
    let ended = await read();
    for (let waits = 0; waits < 3 && ended.finished_at === null; waits += 1) {
      ended = await read("?wait=25");
    }
    expect(ended).toMatchObject({ status: "completed", results: [{ step: "four" }, { step: "five" }] });
    const { body: repeated } = await create();
    expect(repeated.id).toBe(created.id);
    // The upload and two results.
    expect(await requestsOf(client)).toBe(3);
    for (const { job_id } of created.steps) {
      const { body: job } = await client.call<{ status: string }>(`/api/v1/convert/${job_id}`);
      expect(job.status).toMatch(/completed|expired/);
    }
  });
});
