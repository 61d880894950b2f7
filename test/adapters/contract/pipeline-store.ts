import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PipelineStore, PresetStore } from "../../../functions/domain/pipelines/pipeline-ports.ts";
import type { JobStore, QuotaStore } from "../../../functions/domain/ports.ts";
import {
  accountRecord,
  completedOutcome,
  idempotencyRecord,
  NOW,
  pipelineRecord,
  quotaRecord,
} from "../../support/world/records.ts";

export interface PipelineStoreHarness {
  readonly jobs: JobStore;
  readonly pipelines: PipelineStore;
  readonly presets: PresetStore;
  readonly quotas: QuotaStore;
  close(): Promise<void>;
}

/** The contract of every PipelineStore and PresetStore. `make` returns empty stores; it is called before each test. */
export const pipelineStoreContract = (name: string, make: () => Promise<PipelineStoreHarness>): void => {
  describe(`${name} as PipelineStore`, () => {
    let harness: PipelineStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    const created = async () => {
      const { pipeline, jobs } = pipelineRecord();
      const quota = { ...quotaRecord(pipeline.accountId, 5), count: 2 };
      const creation = { pipeline, jobs, quota, idempotency: undefined, answers: pipeline.id };
      expect(await harness.pipelines.createPipeline(creation)).toEqual({ outcome: "created" });
      return { pipeline, jobs, creation, quota };
    };

    it("adds the pipeline with its jobs, and counts its results, in one transaction", async () => {
      const { pipeline, jobs, quota } = await created();
      expect(await harness.pipelines.getPipeline(pipeline.id)).toEqual(pipeline);
      expect(await Promise.all(jobs.map(({ id }) => harness.jobs.getJob(id)))).toEqual(jobs);
      expect(await harness.quotas.used(pipeline.accountId, quota.month)).toBe(2);
    });

    it("adds nothing when the quota does not have enough requests", async () => {
      const { pipeline, jobs } = pipelineRecord();
      const quota = { ...quotaRecord(pipeline.accountId, 1), count: 2 };
      const creation = { pipeline, jobs, quota, idempotency: undefined, answers: pipeline.id };
      expect(await harness.pipelines.createPipeline(creation)).toEqual({ outcome: "quota_exceeded" });
      expect(await harness.pipelines.getPipeline(pipeline.id)).toBeUndefined();
      expect(await harness.jobs.getJob(jobs[0].id)).toBeUndefined();
      expect(await harness.quotas.used(pipeline.accountId, quota.month)).toBe(0);
    });

    it("adds and counts nothing again for a repeated idempotency key", async () => {
      const [first, second] = [pipelineRecord(), pipelineRecord()];
      const idempotency = idempotencyRecord();
      const quota = { ...quotaRecord(first.pipeline.accountId, 9), count: 2 };
      const answers = first.jobs[1].id;
      await harness.pipelines.createPipeline({ ...first, quota, idempotency, answers });
      const repeated = await harness.pipelines.createPipeline({
        ...second,
        quota,
        idempotency,
        answers: second.pipeline.id,
      });
      expect(repeated).toEqual({ outcome: "replayed", id: answers, requestHash: idempotency.requestHash });
      expect(await harness.pipelines.getPipeline(second.pipeline.id)).toBeUndefined();
      expect(await harness.quotas.used(quota.accountId, quota.month)).toBe(2);
    });

    it("claims a waiting job only after it was started, which happens once", async () => {
      const { jobs } = await created();
      const [first, waiting] = jobs;
      expect(await harness.jobs.claim(waiting.id, NOW)).toBeUndefined();
      const inputs = { inputKey: "results/a/1", inputBytes: 77, lane: "documents" } as const;
      const starts = await Promise.all(
        [1, 2, 3].map((dueAt) => harness.jobs.start(waiting.id, inputs, NOW + dueAt * 1_000)),
      );
      expect(starts.filter(Boolean)).toMatchObject([{ ...inputs, waits: false, status: "queued" }]);
      expect(await harness.jobs.claim(waiting.id, NOW, "documents")).toMatchObject({ ...inputs, attempt: 1 });
      expect(await harness.jobs.start(first.id, inputs, NOW)).toBeUndefined();
    });

    it("does not start a waiting job that was cancelled", async () => {
      const { jobs } = await created();
      await harness.jobs.cancel(jobs[1].id, NOW);
      const inputs = { inputKey: "results/a/1", inputBytes: 77, lane: "fast" } as const;
      expect(await harness.jobs.start(jobs[1].id, inputs, NOW)).toBeUndefined();
    });

    it("reports waiting jobs as overdue, so that the sweeper continues their pipeline", async () => {
      const { jobs } = await created();
      const overdue = await harness.jobs.overdue(jobs[1].dueAt + 1, 10);
      expect(overdue.map(({ id }) => id).sort()).toEqual(jobs.map(({ id }) => id).sort());
    });

    it("lists the jobs whose results are offered, and no intermediate ones", async () => {
      const { pipeline, jobs } = await created();
      await harness.jobs.claim(jobs[0].id, NOW);
      await harness.jobs.finish(jobs[0].id, 1, completedOutcome(jobs[0].id, 1), NOW);
      const { items } = await harness.jobs.listJobs({ accountId: pipeline.accountId, limit: 10, now: NOW });
      expect(items.map(({ id }) => id)).toEqual([jobs[1].id]);
    });

    it("lists the pipelines of an account newest first, in pages", async () => {
      const { id: accountId } = accountRecord();
      const records = [1, 2, 3].map((number) =>
        pipelineRecord({ accountId, id: `pip_0000000000000000000${number}aa` }),
      );
      for (const record of [...records, pipelineRecord()]) {
        const answers = record.pipeline.id;
        await harness.pipelines.createPipeline({ ...record, quota: undefined, idempotency: undefined, answers });
      }
      const page = await harness.pipelines.listPipelines({ accountId, limit: 2 });
      expect(page.items.map(({ id }) => id)).toEqual([records[2]?.pipeline.id, records[1]?.pipeline.id]);
      const rest = await harness.pipelines.listPipelines({ accountId, limit: 2, after: page.next ?? "" });
      expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[records[0]?.pipeline.id], undefined]);
    });

    it("deletes a pipeline", async () => {
      const { pipeline } = await created();
      await harness.pipelines.erasePipeline(pipeline.id);
      expect(await harness.pipelines.getPipeline(pipeline.id)).toBeUndefined();
      await harness.pipelines.erasePipeline(pipeline.id);
    });
  });

  describe(`${name} as PresetStore`, () => {
    let harness: PipelineStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    it("saves, replaces, lists and deletes the presets of each account", async () => {
      const [{ id: accountId }, { id: other }] = [accountRecord(), accountRecord()];
      const preset = { accountId, name: "web-photo", targetFormat: "webp", options: { width: 1_600 }, updatedAt: NOW };
      await harness.presets.savePreset(preset);
      await harness.presets.savePreset({ ...preset, accountId: other, options: {} });
      expect(await harness.presets.getPreset(accountId, "web-photo")).toEqual(preset);
      const changed = { accountId, name: "web-photo", steps: [{ operation: "merge" }], updatedAt: NOW + 1 };
      await harness.presets.savePreset(changed);
      expect(await harness.presets.presetsOf(accountId)).toEqual([changed]);
      expect(await harness.presets.removePreset(accountId, "web-photo")).toBe(true);
      expect(await harness.presets.removePreset(accountId, "web-photo")).toBe(false);
      expect(await harness.presets.getPreset(accountId, "web-photo")).toBeUndefined();
      expect(await harness.presets.presetsOf(other)).toHaveLength(1);
    });
  });
};
