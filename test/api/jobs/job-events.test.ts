import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jobEvents } from "../../../functions/api/jobs/job-events.ts";
import type { Answer, ApiRequest } from "../../../functions/api/request.ts";
import { RequestError } from "../../../functions/domain/errors.ts";
import { jobSchema } from "../../../functions/domain/jobs/job-views.ts";
import { STREAM_MS_MAX } from "../../../functions/domain/limits.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { memoryStreams } from "../../../local/memory/streams.ts";
import { accountRecord, completedOutcome, jobRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

describe("the events of a job", () => {
  let world: World;
  let accountId: string;
  let id: string;
  beforeEach(async () => {
    world = makeWorld(NOW);
    const account = accountRecord();
    accountId = account.id;
    await world.context.accounts.createAccount(account);
    const job = jobRecord({ accountId });
    id = job.id;
    await world.context.jobs.createJob(job, quotaRecord(accountId, 100), undefined);
  });
  afterEach(() => world.close());

  const open = (over: Partial<ApiRequest<undefined>> = {}, context: Context = world.context): Promise<Answer> =>
    jobEvents.run(context)({ ...requestOf(undefined), method: "GET", accountId, params: { id }, ...over });
  const streamOf = ({ stream }: Answer) => {
    if (stream === undefined) {
      throw new TypeError("The answer is not a stream.");
    }
    return stream;
  };
  /** @returns the next events of the stream, until one matches */
  const readUntil = async (stream: AsyncIterator<Buffer>, pattern: RegExp): Promise<string> => {
    for (let all = ""; ; ) {
      const { done, value } = await stream.next();
      all += value?.toString() ?? "";
      if (done || pattern.test(all)) {
        return all;
      }
    }
  };
  const finish = async () => {
    await world.context.jobs.claim(id, NOW);
    await world.context.jobs.finish(id, 1, completedOutcome(id, 1), NOW);
  };
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => (error instanceof RequestError ? error.code : error),
    );

  test("begin with the current state, follow each change, and end with the job", async () => {
    const stream = streamOf(await open())[Symbol.asyncIterator]();
    const first = await readUntil(stream, /\n\n.*\n\n/s);
    expect(first).toMatch(/^retry: 1000\n\nid: [0-9a-f]{32}\nevent: job\ndata: \{.*\}\n\n$/);
    const [, data = ""] = /data: (.*)\n/.exec(first) ?? [];
    expect(jobSchema.parse(JSON.parse(data)).status).toBe("queued");
    await world.context.jobs.claim(id, NOW);
    expect(await readUntil(stream, /\n\n/)).toContain('"status":"processing"');
    await world.context.jobs.progress(id, 1, 40);
    expect(await readUntil(stream, /\n\n/)).toContain('"progress":40');
    await world.context.jobs.finish(id, 1, completedOutcome(id, 1), NOW);
    expect(await readUntil(stream, /\n\n/)).toContain('"status":"completed"');
    expect((await stream.next()).done).toBe(true);
  });

  test("do not repeat the version of Last-Event-ID; the last version needs no stream", async () => {
    const stream = streamOf(await open())[Symbol.asyncIterator]();
    const [, known = ""] = /id: (\w+)/.exec(await readUntil(stream, /data/)) ?? [];
    await stream.return?.();
    const again = streamOf(await open({ headers: { "last-event-id": known } }))[Symbol.asyncIterator]();
    expect(await readUntil(again, /waiting/)).not.toContain("data:");
    await finish();
    const end = await readUntil(again, /"status":"completed"/);
    const last = [...end.matchAll(/^id: (\w+)/gm)].at(-1)?.[1] ?? "";
    expect(await open({ headers: { "last-event-id": last } })).toEqual({ status: 204 });
  });

  test("end when the longest time is over, when the job is deleted, and when the service shuts down", async () => {
    const timed = streamOf(await open())[Symbol.asyncIterator]();
    await readUntil(timed, /data/);
    world.now += STREAM_MS_MAX;
    await world.context.jobs.claim(id, world.now);
    expect(await readUntil(timed, /never/)).toContain('"status":"processing"');

    const streams = memoryStreams();
    const stopped = streamOf(await open({}, { ...world.context, streams }));
    const read = text(stopped);
    streams.close();
    expect(await read).toContain("retry");
    const closed = await text(streamOf(await open({}, { ...world.context, streams })));
    expect(closed).toBe("retry: 1000\n\n");

    const deleted = streamOf(await open());
    await world.context.jobs.cancel(id, NOW);
    await world.context.jobs.eraseJob(id);
    expect(await text(deleted)).toBe("retry: 1000\n\n");
  });

  test("are limited per account and in all, until the client disconnects", async () => {
    const context = { ...world.context, streams: memoryStreams(2, 1) };
    const first = streamOf(await open({}, context));
    expect(await refusal(open({}, context))).toBe("rate_limited");
    const other = jobRecord({ accountId: "acc_other" });
    await world.context.jobs.createJob(other, quotaRecord("acc_other", 100), undefined);
    const second = streamOf(await open({ accountId: "acc_other", params: { id: other.id } }, context));
    const third = jobRecord({ accountId: "acc_third" });
    await world.context.jobs.createJob(third, quotaRecord("acc_third", 100), undefined);
    const open3 = () => open({ accountId: "acc_third", params: { id: third.id } }, context);
    expect(await refusal(open3())).toBe("temporarily_unavailable");
    first.destroy();
    await once(first, "close");
    streamOf(await open3()).destroy();
    second.destroy();
    expect(await open({ method: "HEAD" }, context)).not.toHaveProperty("stream");
    expect(await refusal(open())).toBeUndefined();
  });

  test("are a complete response where responses cannot be streamed: the next change, or a comment", async () => {
    const { streams: _, ...context } = world.context;
    const bodyOf = async (over: Partial<ApiRequest<undefined>> = {}) =>
      Buffer.from((await open(over, context)).bytes ?? []).toString();
    const first = await bodyOf();
    expect(first).toContain('"status":"queued"');
    const [, known = ""] = /id: (\w+)/.exec(first) ?? [];
    const next = bodyOf({ headers: { "last-event-id": known } });
    await world.context.jobs.claim(id, NOW);
    expect(await next).toContain('"status":"processing"');
  });
});
