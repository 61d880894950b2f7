import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { getJob } from "../../../functions/api/jobs/get-job.ts";
import { jobEvents } from "../../../functions/api/jobs/job-events.ts";
import type { Answer, ApiRequest } from "../../../functions/api/request.ts";
import { completeUpload } from "../../../functions/api/uploads/complete-upload.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { memorySlots } from "../../../local/memory/slots.ts";
import { PATIENCE } from "../../support/patience.ts";
import {
  accountRecord,
  completedOutcome,
  jobRecord,
  NOW,
  quotaRecord,
  uploadRecord,
} from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** The account has one slot. The clock stands still, so a wait ends only when its record changes. */
describe("an account with as many waiting requests as allowed", () => {
  let world: World;
  let context: Context;
  let accountId: string;
  let id: string;
  let release: () => Promise<void>;
  beforeEach(async () => {
    world = makeWorld(NOW);
    const { streams: _, ...unstreamed } = world.context;
    context = { ...unstreamed, slots: memorySlots({ wait: 1 }) };
    const account = accountRecord();
    accountId = account.id;
    await context.accounts.createAccount(account);
    const job = jobRecord({ accountId });
    id = job.id;
    await context.jobs.createJob(job, quotaRecord(accountId, 100), undefined);
    release = (await context.slots.take(accountId, "wait", NOW)) ?? expect.fail("The slot is taken.");
  });
  afterEach(() => world.close());

  const asking = (over: Partial<ApiRequest<undefined>> = {}) => ({
    ...requestOf(undefined),
    method: "GET",
    accountId,
    params: { id },
    query: { wait: "25" },
    now: NOW,
    ...over,
  });

  test("gets the current state of a job at once", async () => {
    const answer = await getJob.run(context)(asking());
    expect(answer).toMatchObject({ status: 200, headers: { "retry-after": "1" }, body: { status: "queued" } });
  });

  test("gets 202 at once for a new job", async () => {
    const upload = uploadRecord({ accountId });
    await context.uploads.createUpload(upload, undefined);
    const claim = quotaRecord(accountId, 100);
    const request = { ...asking({ method: "POST", params: {} }), claim };
    const answer = await createJob.run(context)({ ...request, body: { upload_id: upload.id, target_format: "jpg" } });
    expect(answer).toMatchObject({ status: 202, headers: { "retry-after": "1" } });
  });

  test("gets a comment at once instead of the next event, where responses cannot be streamed", async () => {
    const bodyOf = ({ bytes = new Uint8Array() }: Answer) => Buffer.from(bytes).toString();
    const first = bodyOf(await jobEvents.run(context)(asking()));
    const [, known = ""] = /id: (\w+)/.exec(first) ?? [];
    const next = await jobEvents.run(context)(asking({ headers: { "last-event-id": known } }));
    expect(bodyOf(next)).toBe("retry: 1000\n\n: waiting\n\n");
  });

  test("gets 202 at once for an upload that is still being checked", async () => {
    const source = { kind: "sent", bytes: 3, completedAt: NOW } as const;
    const { bytes: _, sha256: __, format: ___, ...ready } = uploadRecord({ accountId });
    const upload = { ...ready, status: "pending", source } as const;
    await context.uploads.createUpload(upload, undefined);
    const answer = await completeUpload.run(context)(asking({ method: "POST", params: { id: upload.id } }));
    expect(answer).toMatchObject({ status: 202, body: { status: "pending" } });
  });

  test("waits again after a wait has ended, and every wait gives back its slot", async () => {
    await release();
    for (const expected of ["processing", "completed"]) {
      const changed = vi.spyOn(context.notifications, "changed");
      const waiting = getJob.run(context)(asking());
      await vi.waitFor(() => expect(changed).toHaveBeenCalled(), PATIENCE);
      await (expected === "processing"
        ? context.jobs.claim(id, NOW)
        : context.jobs.finish(id, 1, completedOutcome(id, 1), NOW));
      expect(await waiting).toMatchObject({ body: { status: expected } });
      changed.mockRestore();
    }
    expect(await context.slots.take(accountId, "wait", NOW)).toBeDefined();
  });

  test("gets the current state when waits cannot be counted", async () => {
    const failing = { take: () => setTimeout(0).then(() => Promise.reject(new Error("No counts."))) };
    const answer = await getJob.run({ ...context, slots: failing })(asking());
    expect(answer).toMatchObject({ status: 200, body: { status: "queued" } });
  });
});
