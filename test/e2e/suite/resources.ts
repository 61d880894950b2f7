import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { ApiClient, Problem } from "../../support/services/client.ts";
import { announce, sendDirectly } from "./direct.ts";
import { type AccountClient, endOf, fixture, keyOf, newAccount, type Target } from "./target.ts";

interface JobListView {
  readonly jobs: readonly JobView[];
  readonly next: string | null;
}

/** Canceling and deleting: what each of them erases. And which jobs a list can be filtered by. */
export const resourceSuite = (target: () => Target): void => {
  const cancel = (client: ApiClient, id: string) =>
    client.call<JobView & Problem>(`/api/v1/convert/${id}/cancel`, { method: "POST" });
  const removeJob = (client: ApiClient, id: string) =>
    client.call<JobView & Problem>(`/api/v1/convert/${id}`, { method: "DELETE" });
  const removeUpload = (client: ApiClient, id: string) =>
    client.call<Problem>(`/api/v1/upload/${id}`, { method: "DELETE" });

  it("retrieves a job at its own path", async () => {
    const { client } = target();
    const { job } = await client.turn(fixture("sample.png"), "jpg");
    const reply = await client.call<JobView>(`/api/v1/convert/${job.id}`);
    expect([reply.status, reply.body]).toEqual([200, job]);
    const etag = reply.headers.get("etag") ?? "";
    const again = await client.call(`/api/v1/convert/${job.id}`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  describe("canceling a job", () => {
    it("ends a job that runs, and keeps its upload", async () => {
      const { client } = target();
      const { upload_id } = await sendDirectly(client, "slow.jpg", await slowPicture());
      const { body: job } = await client.convert({ upload_id, target_format: "avif", options: { lossless: true } });
      expect(await cancel(client, job.id)).toMatchObject({ status: 200, body: { id: job.id, status: "cancelled" } });
      expect(await cancel(client, job.id)).toMatchObject({ status: 200, body: { status: "cancelled" } });
      expect((await client.call<JobView>(`/api/v1/convert/${job.id}`)).body.status).toBe("cancelled");
      expect((await client.call(`/api/v1/upload/${upload_id}`)).status).toBe(200);
    });

    it("returns a job that has ended unchanged, with its result", async () => {
      const { client } = target();
      const { job, bytes } = await client.turn(fixture("sample.png"), "jpg");
      expect(await cancel(client, job.id)).toMatchObject({ status: 200, body: job });
      expect((await client.download(job.result?.download_token ?? "")).bytes).toEqual(bytes);
    });

    it("is not for another account, nor for a job that does not exist", async () => {
      const { job } = await target().client.turn(fixture("sample.png"), "jpg");
      const { client: stranger } = await newAccount(target(), 1);
      expect((await cancel(stranger, job.id)).status).toBe(404);
      expect((await cancel(target().client, "job_0")).body.code).toBe("not_found");
    });
  });

  describe("deleting a job", () => {
    it("keeps its upload, which can still be converted", async () => {
      const { client } = target();
      const { job } = await client.turn(fixture("sample.png"), "jpg");
      expect((await removeJob(client, job.id)).status).toBe(204);
      expect((await client.call(`/api/v1/convert/${job.id}`)).status).toBe(404);
      const again = await client.convert({ upload_id: job.upload_id, target_format: "webp" });
      expect((await endOf(client, again.body.id)).status).toBe("completed");
    });
  });

  describe("deleting an upload", () => {
    it("makes it unusable at once, and keeps the results of its jobs", async () => {
      const { client } = target();
      const { job, bytes } = await client.turn(fixture("sample.png"), "jpg");
      expect((await removeUpload(client, job.upload_id)).status).toBe(204);
      expect((await client.download(job.result?.download_token ?? "")).bytes).toEqual(bytes);
      const convert = await client.convert({ upload_id: job.upload_id, target_format: "webp" });
      expect([convert.status, convert.body.code]).toEqual([410, "expired"]);
      expect((await client.call<Problem>(`/api/v1/upload/${job.upload_id}`)).body.code).toBe("expired");
      expect((await removeUpload(client, job.upload_id)).body.code).toBe("expired");
    });

    it("does not disturb the jobs that already use it", async () => {
      const { client } = target();
      const { upload_id } = (await client.upload(fixture("sample.png"))).body;
      const jobs = await Promise.all(
        ["jpg", "webp", "gif"].map(async (target_format) => (await client.convert({ upload_id, target_format })).body),
      );
      expect((await removeUpload(client, upload_id)).status).toBe(204);
      for (const { id } of jobs) {
        expect((await endOf(client, id)).status).toBe("completed");
      }
    });

    it("ends one that is still being sent, and is not for another account", async () => {
      const { client } = target();
      const { body } = await announce(client, { filename: "a.png", size: 200_000_000 });
      const { client: stranger } = await newAccount(target(), 1);
      expect((await removeUpload(stranger, body.upload_id)).status).toBe(404);
      expect((await removeUpload(client, body.upload_id)).status).toBe(204);
      const complete = await client.call<Problem>(`/api/v1/upload/${body.upload_id}/complete`, { method: "POST" });
      expect([complete.status, complete.body.code]).toEqual([410, "expired"]);
    });
  });

  describe("the filters of the list of jobs", () => {
    let account: AccountClient;
    let jobs: readonly JobView[];
    let byKey: JobView;
    beforeAll(async () => {
      account = await newAccount(target(), 100);
      const { client } = account;
      const upload = async (name: string): Promise<string> =>
        (await client.upload({ name, bytes: await sharp(fixture("sample.png")).png().toBuffer() })).body.upload_id;
      const made = async (body: object, sender = client): Promise<JobView> =>
        (await sender.convert(body, { prefer: "wait=25" })).body;
      const [holiday, invoice] = [await upload("Holiday.png"), await upload("invoice.png")];
      byKey = await made({ upload_id: holiday, target_format: "gif" }, await keyOf(target(), account, []));
      jobs = [
        byKey,
        await made({ upload_id: holiday, target_format: "jpg" }),
        await made({ upload_id: invoice, target_format: "jpg", filename: "HOLIDAY-invoice.jpg" }),
        await made({ upload_id: invoice, target_format: "webp" }),
        await made({ upload_ids: [invoice, holiday], target_format: "pdf" }),
      ];
    });
    /** Pages through the list. @returns the indexes of the jobs, newest first */
    const found = async (query: string, limit = 100): Promise<number[]> => {
      const ids: string[] = [];
      let after = "";
      for (let pages = 0; pages < 20; pages += 1) {
        const path = `/api/v1/convert?limit=${limit}&${query}${after}`;
        const { body } = await account.client.call<JobListView>(path);
        ids.push(...body.jobs.map(({ id }) => id));
        if (body.next === null) {
          return ids.map((id) => jobs.findIndex((job) => job.id === id));
        }
        after = `&after=${body.next}`;
      }
      throw new Error("The list does not end.");
    };

    it("shows the name of the source, all uploads and the key of each job", async () => {
      expect(jobs.map(({ source_filename }) => source_filename)).toEqual([
        "Holiday.png",
        "Holiday.png",
        "invoice.png",
        "invoice.png",
        "invoice.png",
      ]);
      expect(jobs[4]?.upload_ids).toEqual([jobs[3]?.upload_id, jobs[0]?.upload_id]);
      expect(jobs[0]?.upload_ids).toEqual([jobs[0]?.upload_id]);
      expect(new Set(jobs.map(({ key_id }) => key_id)).size).toBe(2);
    });

    it.each([
      ["source_format=PNG", [4, 3, 2, 1, 0]],
      ["target_format=image/jpeg", [2, 1]],
      ["filename=holiday", [2, 1, 0]],
      ["filename=.PDF", [4]],
      ["filename=holiday&target_format=jpg", [2, 1]],
      ["status=completed&filename=invoice", [4, 3, 2]],
      ["status=expired", []],
      ["status=failed", []],
      ["filename=%25", []],
    ])("finds by %s, also page by page", async (query, expected) => {
      expect(await found(query)).toEqual(expected);
      expect(await found(query, 1)).toEqual(expected);
      expect(await found(query, 2)).toEqual(expected);
    });

    it("finds by key and by time", async () => {
      expect(await found(`key_id=${byKey.key_id}`)).toEqual([0]);
      expect(await found("key_id=key_0")).toEqual([]);
      const [from, to] = [jobs[1]?.created_at ?? "", jobs[3]?.created_at ?? ""];
      expect(await found(`created_after=${from}`)).toEqual([4, 3, 2, 1]);
      expect(await found(`created_before=${to}`, 1)).toEqual([2, 1, 0]);
      expect(await found(`created_after=${from}&created_before=${to}`, 1)).toEqual([2, 1]);
      expect(await found("created_after=2020-01-01&created_before=2020-01-02")).toEqual([]);
      expect(await found(`created_after=${to}&created_before=${from}`)).toEqual([]);
    });

    it.each([
      "status=gone",
      "source_format=nothing",
      "target_format=",
      "key_id=x",
      "filename=",
      "created_after=soon",
      "created_before=2026-13-01",
    ])("rejects %s", async (query) => {
      const { status, body } = await account.client.call<Problem>(`/api/v1/convert?${query}`);
      const [name] = query.split("=");
      expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([400, "invalid_request", `/${name}`]);
    });
  });
};

/** A picture whose lossless conversion takes longer than the test. */
const slowPicture = (): Promise<Buffer> => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: 6_000, height: 5_000, channels: 3, noise, background: "#888" } })
    .jpeg({ quality: 40 })
    .toBuffer();
};
