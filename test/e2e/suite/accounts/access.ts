import { readFile } from "node:fs/promises";
import { FormData } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import type { AnyOperation } from "../../../../functions/api/operation.ts";
import { routes } from "../../../../functions/api/routes.ts";
import { scopes } from "../../../../functions/domain/accounts/keys.ts";
import { jobErrors } from "../../../../functions/domain/errors/job-errors.ts";
import { requestErrors } from "../../../../functions/domain/errors/request-errors.ts";
import type { JobErrorCode, RequestErrorCode } from "../../../../functions/domain/errors.ts";
import type { ApiClient, Call, Problem } from "../../../support/services/client.ts";
import { announce } from "../direct.ts";
import { type AccountClient, accountOn, fixture, keyOf, newAccount, type Target, usedBy } from "../target.ts";

/** Number of concurrent requests: more than any account may send in that time. */
const BURST = 120;

const scoped = routes.filter((route: AnyOperation) => route.scope !== undefined);

/** Scopes and rate limits of keys, and test keys. */
export const accessSuite = (target: () => Target): void => {
  describe("the scopes of a key", () => {
    let account: AccountClient;
    let without: Record<string, ApiClient>;
    let only: Record<string, ApiClient>;
    beforeAll(async () => {
      account = await newAccount(target(), 1_000);
      const made = async (list: readonly string[]) => keyOf(target(), account, ["--scopes", list.join(",")]);
      without = {};
      only = {};
      for (const scope of scopes) {
        without[scope] = await made(scopes.filter((other) => other !== scope));
        only[scope] = await made([scope]);
      }
    });

    it.each(scoped.map((route: AnyOperation) => [route.id, route] as const))(
      "apply to %s: rejected without its scope, accepted with only its scope",
      async (_operation, { scope = "", methods: [method = "GET"], path }) => {
        const call: Call = { method };
        const asked = path.replaceAll(/\{\w+\}/g, "x");
        const refused = await without[scope]?.call<Problem>(asked, call);
        expect([refused?.status, refused?.body.code]).toEqual([403, "forbidden_scope"]);
        expect(refused?.body.detail).toContain(scope);
        const allowed = await only[scope]?.call<Problem | undefined>(asked, call);
        expect(allowed?.body?.code).not.toBe("forbidden_scope");
        expect(allowed?.status).not.toBe(401);
      },
    );

    it("are defined for every operation that needs a key, and for no other", async () => {
      expect(scoped.map(({ id }) => id)).toEqual(routes.filter(({ auth }) => auth === "key").map(({ id }) => id));
      expect((await only.upload?.call("/api/v1/formats"))?.status).toBe(200);
    });
  });

  describe("the rate limit", () => {
    const burst = (client: ApiClient) =>
      Promise.all(Array.from({ length: BURST }, () => client.call<Problem>("/api/v1/account")));

    it("is twenty requests per second on the self-service plans", async () => {
      const { client } = await accountOn(target(), ["--plan", "api"]);
      const replies = await burst(client);
      const [accepted, refused] = [200, 429].map((wanted) => replies.filter(({ status }) => status === wanted));
      expect(accepted?.length).toBeGreaterThanOrEqual(20);
      expect(refused?.length).toBeGreaterThan(0);
      expect((accepted?.length ?? 0) + (refused?.length ?? 0)).toBe(BURST);
      for (const { body, headers } of refused ?? []) {
        expect([body.code, body.retryable, headers.get("retry-after")]).toEqual(["rate_limited", true, "1"]);
        expect(headers.get("ratelimit")).toBe('"burst";r=0;t=1');
        expect(headers.get("ratelimit-policy")).toBe('"burst";q=20;w=1');
      }
      await expect.poll(async () => (await client.call("/api/v1/account")).status).toBe(200);
    });

    it("is reported with the monthly quota in one header", async () => {
      const { client } = await accountOn(target(), ["--plan", "free"]);
      const { headers } = await client.upload(fixture("sample.png"));
      expect(headers.get("ratelimit")).toMatch(/^"burst";r=\d+;t=1, "month";r=99;t=\d+$/);
      expect(headers.get("ratelimit-policy")).toMatch(/^"burst";q=20;w=1, "month";q=100;w=\d+$/);
    });

    it("does not apply to enterprise accounts", async () => {
      const { client } = await newAccount(target(), 10);
      const replies = await burst(client);
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(replies[0]?.headers.get("ratelimit")).toBeNull();
    });
  });

  describe("a test key", () => {
    let account: AccountClient;
    let client: ApiClient;
    let png: Buffer;
    beforeAll(async () => {
      account = await newAccount(target(), 10);
      client = await keyOf(target(), account, ["--test"]);
      png = await readFile(fixture("sample.png"));
    });

    it("converts files without metering", async () => {
      const upload = await client.upload(fixture("sample.png"));
      expect([upload.status, upload.headers.get("x-ratelimit-limit")]).toEqual([201, null]);
      const { job, bytes } = await client.turn(fixture("sample.png"), "jpg");
      expect([job.status, bytes.subarray(0, 2)]).toEqual(["completed", Buffer.from([0xff, 0xd8])]);
      expect(await usedBy(target(), account)).toBe(0);
    });

    it("accepts files up to 1 MB, for every upload method", async () => {
      const fits = await client.upload({ name: "a.txt", bytes: Buffer.alloc(1_000_000, "x") });
      expect(fits.status).toBe(201);
      const over = await client.upload({ name: "a.txt", bytes: Buffer.alloc(1_000_001, "x") });
      expect([over.status, over.body.code]).toEqual([413, "payload_too_large"]);
      const announced = await announce(client, { filename: "a.txt", size: 1_000_001 });
      expect([announced.status, announced.body.code]).toEqual([413, "payload_too_large"]);
    });

    it.each(Object.keys(jobErrors) as JobErrorCode[])(
      "fails a job with %s if its file name requests it",
      async (code) => {
        const upload = await client.upload({ name: `fail-${code}.png`, bytes: png });
        const wanted = { upload_id: upload.body.upload_id, target_format: "jpg" };
        const { body } = await client.convert(wanted, { prefer: "wait=25" });
        expect([body.status, body.error?.code, body.error?.retryable]).toEqual([
          "failed",
          code,
          jobErrors[code].retryable,
        ]);
        expect(await usedBy(target(), account)).toBe(0);
      },
    );

    it.each(Object.keys(requestErrors) as RequestErrorCode[])(
      "fails an upload with %s if its file name requests it",
      async (code) => {
        const form = new FormData();
        form.set("file", new File([Uint8Array.from(png)], `fail-${code}.png`));
        const formed = await client.anyAnswer("/api/v1/upload", { method: "POST", body: form });
        const json = JSON.stringify({ filename: `fail-${code}.png`, size: 10 });
        const headers = { "content-type": "application/json" };
        const announced = await client.anyAnswer("/api/v1/upload", { method: "POST", headers, body: json });
        for (const { status, body } of [formed, announced]) {
          expect([status, body]).toMatchObject([
            requestErrors[code].status,
            { code, retryable: requestErrors[code].retryable },
          ]);
        }
      },
    );

    it("is required for simulated errors", async () => {
      const { job } = await target().client.turn({ name: "fail-timed_out.png", bytes: png }, "jpg");
      expect(job.status).toBe("completed");
    });
  });
};
