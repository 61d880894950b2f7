import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { context as deployedContext } from "../../functions/context.ts";
import { newId } from "../../functions/domain/ids.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { messageOf } from "../../functions/domain/jobs/job-lane.ts";
import { uploadKey } from "../../functions/domain/uploads/upload.ts";
import { convert } from "../../functions/engines/core/convert.ts";
import { convertFile } from "../../functions/events/convert-file.ts";
import type { RunConversion } from "../../functions/events/convert-inputs.ts";
import { convertTask } from "../../functions/events/convert-task.ts";
import { queueHandler } from "../../functions/events/queue.ts";
import { requeueJob } from "../../functions/events/requeue-job.ts";
import { useEmulators } from "../support/emulators/emulator-suite.ts";
import { PATIENCE } from "../support/patience.ts";
import { jobRecord, quotaRecord } from "../support/world/records.ts";

/** A container that converts the file of one message, with the AWS adapters on emulators. */

const FILM_BYTES_MIN = 500e6;

const emulators = useEmulators();
beforeAll(() => {
  // The queue of another lane stands for the one of films.
  process.env.ANYFORM_QUEUE_URL_FILMS = emulators().environment.ANYFORM_QUEUE_URL_DATA ?? "";
  process.env.ANYFORM_FILM_BYTES_MIN = String(FILM_BYTES_MIN);
});

const addedJob = async (inputBytes = FILM_BYTES_MIN): Promise<Job> => {
  const { files, jobs, routes, clock } = deployedContext();
  const inputKey = uploadKey(newId("upload", clock(), randomBytes));
  await files.storeStream(inputKey, createReadStream(join(import.meta.dirname, "../fixtures/sample.png")), 1e9);
  const steps = routes.find("png", "jpg")?.steps ?? [];
  const id = newId("job", clock(), randomBytes);
  const job = jobRecord({ id, lane: "media", inputKey, inputBytes, sourceFormat: "png", targetFormat: "jpg", steps });
  await jobs.createJob(job, quotaRecord(job.accountId, 100));
  return job;
};

const inThisProcess: RunConversion = (task, { onProgress }) => convert(task, onProgress);

/** Converts the job in a separate container, which has the body of the message. */
const inContainer = (job: Job, run: RunConversion, stop = new AbortController().signal): Promise<void> => {
  const context = deployedContext();
  const body = JSON.stringify({ job_id: job.id, account_id: job.accountId });
  return convertTask(context, queueHandler(convertFile(context, run)))(body, stop);
};

const stateOf = async ({ id }: Job) => {
  const { status, attempt } = (await deployedContext().jobs.getJob(id)) ?? {};
  return { status, attempt };
};

describe("a container", () => {
  test("converts the file of its message", async () => {
    const job = await addedJob();
    await inContainer(job, inThisProcess);
    expect(await stateOf(job)).toEqual({ status: "completed", attempt: 1 });
  });

  test("that is stopped returns its job at once, and the next one converts it", async () => {
    const job = await addedJob();
    const stop = new AbortController();
    let isAborted = false;
    const endless: RunConversion = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          isAborted = true;
          reject(signal.reason);
        });
        stop.abort();
      });
    await inContainer(job, endless, stop.signal);
    expect(await stateOf(job)).toEqual({ status: "queued", attempt: 1 });
    await inContainer(job, inThisProcess);
    expect(await stateOf(job)).toEqual({ status: "completed", attempt: 2 });
    await vi.waitFor(() => expect(isAborted).toBe(true), PATIENCE);
  });

  test("that is stopped after the end of its job changes nothing", async () => {
    const job = await addedJob();
    const stop = new AbortController();
    await inContainer(job, inThisProcess, stop.signal);
    stop.abort();
    expect(await stateOf(job)).toEqual({ status: "completed", attempt: 1 });
  });
});

describe("the queue of films", () => {
  const received = async (url: string | undefined): Promise<readonly unknown[]> => {
    const client = new SQSClient({ useQueueUrlAsEndpoint: false });
    const command = new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
    const { Messages = [] } = await client.send(command);
    client.destroy();
    return Messages.map(({ Body = "" }) => JSON.parse(Body).job_id);
  };

  test("gets large inputs of the media lane, also when they are retried, and no others", async () => {
    const { queue } = deployedContext();
    const [film, clip] = [await addedJob(FILM_BYTES_MIN), await addedJob(FILM_BYTES_MIN - 1)];
    await queue.send("media", messageOf(film));
    await queue.send("media", messageOf(clip));
    await queue.send("fast", messageOf(film));
    const { ANYFORM_QUEUE_URL_MEDIA: media, ANYFORM_QUEUE_URL_FILMS: films } = process.env;
    expect(await received(films)).toEqual([film.id]);
    expect(await received(media)).toEqual([clip.id]);
    await requeueJob(deployedContext())(film.id);
    expect(await received(films)).toEqual([film.id]);
  });
});
