import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import { endOf, fixture } from "../../e2e/suite/target.ts";
import { afterPowerFailure, recorded } from "../../support/power-cut/disk.ts";
import { type ApiClient, apiClient } from "../../support/services/client.ts";
import { type LocalService, startLocalService } from "../../support/services/local-service.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";

/** The service loses power right after an answer: whatever was acknowledged is there when it starts again. */

let folder: TemporaryFolder;
let service: LocalService | undefined;
let dataDir: string;
let client: ApiClient;

const startIn = async (path: string, env: Record<string, string> = {}): Promise<void> => {
  dataDir = path;
  service = await startLocalService({ dataDir, env });
  const key = () => readFileSync(join(dataDir, "api-key"), "utf8").trim();
  await expect.poll(key).toMatch(/^af_live_/);
  client = await apiClient(service.url, key());
};
/** Cuts the power, and starts the service on what the disk holds. */
const cutPower = async (): Promise<void> => {
  await service?.kill();
  const to = join(folder.path, "after");
  afterPowerFailure(join(folder.path, "disk"), dataDir, to);
  await startIn(to);
};

beforeEach(async () => {
  folder = temporaryFolder();
  const disk = join(folder.path, "disk");
  mkdirSync(disk);
  await startIn(join(folder.path, "data"), recorded(disk));
});
afterEach(async () => {
  await service?.stop();
  await folder.remove();
});

describe("after a power failure", () => {
  it("an upload that was answered is converted", async () => {
    const { status, body } = await client.upload(fixture("sample.png"));
    await cutPower();
    expect(status).toBe(201);
    const { job } = await client.turn(fixture("sample.png"), "jpg");
    expect(job.status).toBe("completed");
    const converted = await client.convert({ upload_id: body.upload_id, target_format: "webp" });
    expect(converted.status).toBe(202);
    expect(await endOf(client, converted.body.id)).toMatchObject({ status: "completed", error: null });
  });

  it("a file that was put to a signed URL has arrived completely", async () => {
    const png = await readFile(fixture("sample.png"));
    const sha256 = createHash("sha256").update(png).digest("hex");
    const announced = await client.call<UploadView>("/api/v1/upload", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ filename: "a.png", size: png.length, sha256 }),
    });
    const url = new URL(announced.body.upload?.url ?? "", client.url);
    expect((await fetch(url, { method: "PUT", body: Uint8Array.from(png) })).status).toBe(200);
    await cutPower();
    const path = `/api/v1/upload/${announced.body.upload_id}/complete`;
    const completed = await client.call<UploadView>(path, { method: "POST", headers: { prefer: "wait=25" } });
    expect(completed.body).toMatchObject({ status: "ready", size: png.length, sha256 });
  });

  const oneCall = async (headers: Record<string, string> = {}) => {
    const body = new Uint8Array(await readFile(fixture("sample.png")));
    return client.call<JobView>("/api/v1/convert?target_format=jpg&source_filename=a.png", {
      method: "POST",
      headers: { "content-type": "image/png", ...headers },
      body,
    });
  };
  const usedNow = async () => (await client.call<{ used: number }>("/api/v1/account/use")).body.used;

  it("small conversions in one call are counted, and those whose records are left have complete or expired results", async () => {
    const statuses = [(await oneCall()).status, (await oneCall()).status];
    await cutPower();
    expect([statuses, await usedNow()]).toEqual([[200, 200], 2]);
    const left = (await client.call<{ jobs: JobView[] }>("/api/v1/convert")).body.jobs;
    // This disk holds only what was synced, and these results were not.
    expect(left.filter(({ status, result }) => status !== "expired" || result !== null)).toEqual([]);
  });

  it("small conversions are recorded when the next durable write has followed", async () => {
    const ids = [await oneCall(), await oneCall()].map(({ headers }) => headers.get("x-job-id"));
    await client.upload(fixture("sample.png"));
    await cutPower();
    const left = (await client.call<{ jobs: JobView[] }>("/api/v1/convert")).body.jobs;
    expect(left.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await usedNow()).toBe(3);
  });

  it("a conversion is counted once when only the process ends", async () => {
    expect((await oneCall()).status).toBe(200);
    await service?.kill();
    await startIn(dataDir);
    expect(await usedNow()).toBe(1);
  });

  it("a result of one call that the client did not get yet can be downloaded", async () => {
    const job = await oneCall({ accept: "application/json" });
    const key = { "idempotency-key": "k" };
    const kept = await oneCall(key);
    expect([job.status, kept.status]).toEqual([200, 200]);
    await cutPower();
    const { bytes } = await client.download(job.body.result?.download_token ?? "");
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(job.body.result?.sha256);
    const again = await oneCall(key);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(await usedNow()).toBe(3);
  });

  it("a result that was announced can be downloaded", async () => {
    const { job, bytes } = await client.turn(fixture("sample.png"), "jpg");
    // The end of a job is on the disk with the next durable write; without one, the job is converted again.
    await client.upload(fixture("sample.png"));
    await cutPower();
    const again = await client.download(job.result?.download_token ?? "");
    expect(again.bytes).toEqual(bytes);
  });
});
