import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { AccountView } from "../../../functions/domain/accounts/account-views.ts";
import type { BatchView, DownloadView, JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { ApiClient, Problem } from "../../support/services/client.ts";
import { sendDirectly } from "./direct.ts";
import { accountOn, endOf, fixture, newAccount, type Target, usedBy } from "./target.ts";

interface JobListView {
  readonly jobs: readonly JobView[];
  readonly next: string | null;
}

/** Size of an image whose conversion takes longer than any test. */
const SLOW = { width: 6_000, height: 5_000 } as const;

/** Operations on existing jobs. */
export const jobSuite = (target: () => Target): void => {
  const uploaded = async (client: ApiClient, name = "sample.png"): Promise<string> =>
    (await client.upload(fixture(name))).body.upload_id;
  const remove = (client: ApiClient, id: string) =>
    client.call<JobView & Problem>(`/api/v1/convert/${id}`, { method: "DELETE" });

  describe("the list of jobs", () => {
    let client: ApiClient;
    let ids: string[];
    beforeAll(async () => {
      ({ client } = await newAccount(target(), 100));
      const upload_id = await uploaded(client);
      const broken = await client.upload({
        name: "a.png",
        bytes: (await readFile(fixture("sample.png"))).subarray(0, 150),
      });
      ids = [];
      for (const wanted of [upload_id, upload_id, broken.body.upload_id, upload_id, upload_id]) {
        const { body } = await client.convert({ upload_id: wanted, target_format: "webp" }, { prefer: "wait=25" });
        ids.push(body.id);
      }
    });
    const page = (query: string, own = client) => own.call<JobListView & Problem>(`/api/v1/convert${query}`);

    it("is sorted newest first, in pages with cursors", async () => {
      const found: string[] = [];
      let path: string | undefined = "/api/v1/convert?limit=2";
      for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
        const { headers, body }: { headers: Headers; body: JobListView } = await client.call<JobListView>(path);
        found.push(...body.jobs.map(({ id }) => id));
        const link = headers.get("link");
        expect(link === null).toBe(body.next === null);
        path = /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
      }
      expect(found).toEqual([...ids].reverse());
    });

    it("can be filtered by status, page by page", async () => {
      const failed = await page("?status=failed");
      expect(failed.body.jobs.map(({ id, status }) => [id, status])).toEqual([[ids[2], "failed"]]);
      const first = await page("?status=completed&limit=3");
      expect(first.headers.get("link")).toContain("status=completed");
      const rest = await page(`?status=completed&limit=3&after=${first.body.next}`);
      expect([...first.body.jobs, ...rest.body.jobs].map(({ id }) => id)).toEqual([ids[4], ids[3], ids[1], ids[0]]);
      expect((await page("?status=queued")).body.jobs).toEqual([]);
    });

    it("is limited to the account, and rejects invalid queries", async () => {
      expect((await page("", (await newAccount(target(), 1)).client)).body).toEqual({ jobs: [], next: null });
      for (const query of ["?limit=0", "?limit=101", "?limit=x", "?status=gone", "?after=%27"]) {
        expect(await page(query)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      }
    });
  });

  describe("deleting jobs", () => {
    it("deletes an ended job with its result, and its signed URLs stop working", async () => {
      const { client } = target();
      const { job } = await client.turn(fixture("sample.png"), "jpg");
      const path = `/api/v1/download/${job.result?.download_token}`;
      const json = await client.call<DownloadView>(path, { headers: { accept: "application/json" } });
      const signed = json.body.url;
      expect((await fetch(signed)).status).toBe(200);
      expect((await remove(client, job.id)).status).toBe(204);
      expect((await fetch(signed)).ok).toBe(false);
      expect((await client.call(`/api/v1/convert/${job.id}/status`)).status).toBe(404);
      expect((await client.call(path)).status).toBe(404);
      expect((await remove(client, job.id)).status).toBe(404);
    });

    it("cancels running and queued jobs, which frees their slots", async () => {
      const { client, account_id } = await newAccount(target(), 100);
      const { upload_id } = await sendDirectly(client, "slow.jpg", await slowPicture());
      const wanted = { upload_id, target_format: "avif", options: { lossless: true } };
      const jobs = await Promise.all(Array.from({ length: 8 }, async () => (await client.convert(wanted)).body));
      const states = async () =>
        (await client.call<JobListView>("/api/v1/convert")).body.jobs.map(({ status }) => status);
      await expect.poll(states).toContain("processing");
      expect(await states()).toContain("queued");
      for (const { id } of jobs) {
        expect(await remove(client, id)).toMatchObject({ status: 200, body: { status: "cancelled", result: null } });
      }
      // Each would take a minute, so this one ends only if their slots are free.
      const small = await client.convert(
        { upload_id: await uploaded(client), target_format: "jpg" },
        { prefer: "wait=25" },
      );
      expect(small.body.status).toBe("completed");
      expect(await states()).toEqual(["completed", ...jobs.map(() => "cancelled")]);
      expect((await remove(client, jobs[0]?.id ?? "")).status).toBe(204);
      expect(await usedBy(target(), { account_id })).toBe(11);
    });

    it("is not possible from another account", async () => {
      const { job } = await target().client.turn(fixture("sample.png"), "jpg");
      const { client: stranger } = await newAccount(target(), 1);
      expect((await remove(stranger, job.id)).status).toBe(404);
      expect((await target().client.call(`/api/v1/convert/${job.id}/status`)).status).toBe(200);
    });
  });

  describe("a batch", () => {
    const post = (client: ApiClient, conversions: unknown) =>
      client.call<BatchView & Problem>("/api/v1/convert/batch", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ conversions }),
      });

    it("responds to each conversion individually, and counts the accepted ones", async () => {
      const account = await newAccount(target(), 3);
      const { client } = account;
      const upload_id = await uploaded(client);
      const { status, body } = await post(client, [
        { upload_id, target_format: "jpg" },
        { upload_id: "upl_none", target_format: "jpg" },
        { upload_id, colour: "red" },
        { upload_id, target_format: "webp" },
        { upload_id, target_format: "gif" },
      ]);
      expect(status).toBe(200);
      expect(body.items.map((item) => [item.status, item.problem?.code ?? null])).toEqual([
        [202, null],
        [404, "not_found"],
        [400, "invalid_request"],
        [202, null],
        [429, "quota_exceeded"],
      ]);
      expect(body.items[2]?.problem?.errors?.map(({ pointer }) => pointer)).toContain("/conversions/2/target_format");
      for (const { job } of body.items) {
        expect(job === null || (await endOf(client, job.id)).status === "completed").toBe(true);
      }
      expect(await usedBy(target(), account)).toBe(3);
    });

    it("accepts up to a hundred conversions", async () => {
      const { client } = target();
      const one = { upload_id: "upl_none", target_format: "jpg" };
      expect(
        (
          await post(
            client,
            Array.from({ length: 100 }, () => one),
          )
        ).body.items,
      ).toHaveLength(100);
      for (const wrong of [[], Array.from({ length: 101 }, () => one), "all"]) {
        expect(await post(client, wrong)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      }
    });
  });

  describe("merging files", () => {
    it("keeps their order, and rejects files that cannot be merged", async () => {
      const { client } = target();
      const upload_ids = [await uploaded(client), await uploaded(client, "sample.jpg")];
      const mixed = await client.convert({ upload_ids, target_format: "mbox" });
      expect([mixed.status, mixed.body.code]).toEqual([422, "unsupported_conversion"]);
      const mails = [await uploaded(client, "sample.eml"), await uploaded(client, "sample.eml")];
      const { body } = await client.convert({ upload_ids: mails, target_format: "mbox" }, { prefer: "wait=25" });
      expect(body.status, JSON.stringify(body)).toBe("completed");
      const { bytes } = await client.download(body.result?.download_token ?? "");
      expect(bytes.toString("latin1").match(/^From /gm)).toHaveLength(2);
      const both = await client.convert({ upload_id: mails[0], upload_ids: mails, target_format: "mbox" });
      expect([both.status, both.body.code]).toEqual([400, "invalid_request"]);
    });
  });

  describe("the account", () => {
    it("has its plan, quota, usage and reset time", async () => {
      const { client, account_id } = await accountOn(target(), ["--plan", "free"]);
      await client.upload(fixture("sample.png"));
      const { status, body } = await client.call<AccountView>("/api/v1/account");
      const now = new Date();
      const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
      expect([status, body]).toMatchObject([
        200,
        {
          id: account_id,
          plan: "free",
          quota: { limit: 100, used: 1, remaining: 99, resets_at: next, requests_per_second: 20 },
          retention_hours: 24,
        },
      ]);
    });
  });

  describe("a result", () => {
    it("of an account without retention is deleted at its first download, otherwise after a day", async () => {
      const account = await newAccount(target(), 100);
      await target().accounts(["set-retention", "--account", account.account_id, "--hours", "0"]);
      const { client } = account;
      const upload_id = await uploaded(client);
      const { body } = await client.convert({ upload_id, target_format: "jpg" }, { prefer: "wait=25" });
      const expiresAt = Date.parse(body.result?.expires_at ?? "");
      expect(expiresAt - Date.now()).toBeGreaterThan(23 * 3_600_000);
      const { response } = await client.download(body.result?.download_token ?? "");
      expect(response.status).toBe(200);
      const after = await endOf(client, body.id);
      // It exists as long as the signed URL is valid.
      expect(Date.parse(after.result?.expires_at ?? "") - Date.now()).toBeLessThanOrEqual(300_000);
    });
  });
};

/** A job that takes more than a minute: a lossless AVIF. */
const slowPicture = (): Promise<Buffer> => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  return sharp({ create: { ...SLOW, channels: 3, noise, background: "#888" } })
    .jpeg({ quality: 40 })
    .toBuffer();
};
