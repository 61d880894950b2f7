import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eraseFiles } from "../../functions/events/erase-files.ts";
import { completedOutcome, jobRecord, NOW, quotaRecord } from "../support/world/records.ts";
import { makeWorld, type World } from "../support/world/world.ts";

describe("the worker that deletes results", () => {
  let world: World;
  beforeEach(() => {
    world = makeWorld(NOW);
  });
  afterEach(() => world.close());

  const completed = async () => {
    const job = jobRecord();
    const { jobs, files } = world.context;
    await jobs.createJob(job, quotaRecord(job.accountId, 5));
    await jobs.claim(job.id, NOW);
    const outcome = completedOutcome(job.id, 1);
    await files.storeStream(outcome.result.key, one(), 100);
    await jobs.finish(job.id, 1, outcome, NOW);
    return { id: job.id, key: outcome.result.key };
  };

  test("retries until the result has expired, and then deletes it, idempotently", async () => {
    const { id, key } = await completed();
    await world.context.jobs.expireResult(id, NOW + 300_000);
    expect(await eraseFiles(world.context)(id)).toBe("retry");
    expect(await world.context.files.bytesOf(key)).toBe(7);
    world.now += 300_000;
    expect(await eraseFiles(world.context)(id)).toBe("done");
    expect(await world.context.files.bytesOf(key)).toBeUndefined();
    expect(await eraseFiles(world.context)(id)).toBe("done");
  });

  test("does nothing for a missing job or one without a result", async () => {
    const job = jobRecord();
    await world.context.jobs.createJob(job, undefined);
    expect(await eraseFiles(world.context)(job.id)).toBe("done");
    expect(await eraseFiles(world.context)("job_gone")).toBe("done");
  });
});

const one = async function* (): AsyncGenerator<Uint8Array> {
  yield Buffer.from("content");
};
