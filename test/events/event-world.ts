import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { JobError } from "../../functions/domain/errors.ts";
import { newId } from "../../functions/domain/ids.ts";
import { type Job, newJob } from "../../functions/domain/jobs/job.ts";
import { uploadKey } from "../../functions/domain/uploads/upload.ts";
import { convert } from "../../functions/engines/core/convert.ts";
import type { RunConversion } from "../../functions/events/convert-inputs.ts";
import { makeWorld, type World } from "../support/world/world.ts";

/** Jobs for the event handlers, with real stores and engines, and a test clock. */

const MONTH = "2026-11";
const START = Date.parse("2026-11-21T12:00:00Z");

export const inThisProcess: RunConversion = (task, { onProgress }) => convert(task, onProgress);
export const failing =
  (code: ConstructorParameters<typeof JobError>[0]): RunConversion =>
  async () => {
    throw new JobError(code, "as the test wants it");
  };

export interface EventWorld {
  /** New for each test. */
  readonly world: World;
  /** @returns a queued job of the account `acc_1`, by default from PNG to JPEG */
  acceptedJob(overrides?: Partial<Job>, path?: string): Promise<Job>;
  /** @returns the counted requests of the account */
  used(): Promise<number>;
}

export const eventWorld = (): EventWorld => {
  let world: World;
  beforeEach(() => {
    world = makeWorld(START);
  });
  afterEach(() => world.close());
  return {
    get world() {
      return world;
    },
    acceptedJob: (overrides = {}, path = SAMPLE) => acceptedIn(world, overrides, path),
    used: () => world.context.quotas.used("acc_1", MONTH),
  };
};

const SAMPLE = join(import.meta.dirname, "../fixtures/sample.png");

const acceptedIn = async (world: World, overrides: Partial<Job>, path: string): Promise<Job> => {
  const id = newId("upload", world.now, randomBytes);
  await world.context.files.storeStream(uploadKey(id), createReadStream(path), 1e9);
  const route = world.context.routes.find("png", "jpg");
  if (route === undefined) {
    throw new TypeError("There is no route from png to jpg.");
  }
  const job = newJob({
    id: newId("job", world.now, randomBytes),
    accountId: "acc_1",
    uploadId: id,
    inputKey: uploadKey(id),
    inputBytes: 1,
    sourceFormat: "png",
    targetFormat: "jpg",
    options: {},
    steps: route.steps,
    fidelity: route.fidelity,
    lane: route.lane,
    filename: "sample.jpg",
    quotaMonth: MONTH,
    createdAt: world.now,
    ...overrides,
  });
  await world.context.jobs.createJob(job, { accountId: "acc_1", month: MONTH, day: 20, kind: "convert", limit: 10 });
  return job;
};
