import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { unrefused } from "../../../support/services/client.ts";
import { fixture, newAccount, type Target, usedBy } from "../target.ts";

/** The quota is exact under any concurrency. */
export const quotaSuite = (target: () => Target): void => {
  describe("the monthly quota", () => {
    it("accepts exactly as many requests as it allows under concurrency", async () => {
      const limit = 100;
      const { account_id, client } = await newAccount(target(), limit);
      const { body: upload } = await client.upload(fixture("sample.png"));
      const body = { upload_id: upload.upload_id, target_format: "jpg", options: { width: 4 } };
      const replies = await Promise.all(
        Array.from({ length: target().burst }, () => unrefused(() => client.convert(body))),
      );
      const accepted = replies.filter(({ status }) => status === 202);
      const refused = replies.filter(({ status }) => status === 429);
      expect(accepted.length).toBe(limit - 1);
      expect(refused.length).toBe(target().burst - accepted.length);
      expect(
        refused.every(({ body, headers }) => body.code === "quota_exceeded" && Number(headers.get("retry-after")) > 0),
      ).toBe(true);
      expect(await target().accounts(["usage", "--account", account_id])).toMatchObject({ used: limit });
      for (const { body: job } of accepted) {
        const ended = await client.call<{ status: string }>(`/api/v1/convert/${job.id}/status?wait=25`);
        expect(["completed", "processing", "queued"]).toContain(ended.body.status);
      }
    });

    it("rejects uploads and conversions before any work is done, and no downloads", async () => {
      const { client } = await newAccount(target(), 2);
      expect((await client.upload(fixture("sample.png"))).status).toBe(201);
      const { body: upload } = await client.upload(fixture("sample.png"));
      const third = await client.upload({ name: "a.png", bytes: await readFile(fixture("sample.png")) });
      expect([third.status, third.body.code, third.headers.get("x-ratelimit-remaining")]).toEqual([
        429,
        "quota_exceeded",
        "0",
      ]);
      expect((await client.convert({ upload_id: upload.upload_id, target_format: "jpg" })).status).toBe(429);
      const other = await newAccount(target(), 2);
      // The download is the third request, and is not refused.
      expect((await other.client.turn(fixture("sample.png"), "jpg")).job.status).toBe("completed");
      expect(await usedBy(target(), other)).toBe(2);
    });

    it("applies a change of the plan from the next request", async () => {
      const { account_id, client } = await newAccount(target(), 0);
      expect((await client.upload(fixture("sample.png"))).status).toBe(429);
      await target().accounts(["set-plan", "--account", account_id, "--plan", "free"]);
      const reply = await client.upload(fixture("sample.png"));
      expect([reply.status, reply.headers.get("x-ratelimit-limit")]).toEqual([201, "100"]);
    });
  });
};
