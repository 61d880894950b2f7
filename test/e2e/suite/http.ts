import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { requestErrors } from "../../../functions/domain/errors/request-errors.ts";
import type { Problem } from "../../support/services/client.ts";
import { fixture, newAccount, type Target, usedBy } from "./target.ts";

/** What holds for every operation: methods, paths, cross-origin requests, hosts. */
export const httpSuite = (target: () => Target): void => {
  const send = (path: string, init: RequestInit = {}) => fetch(`${target().client.url}${path}`, init);
  const authorization = () => ({ authorization: `Bearer ${target().account.api_key}` });

  describe("HEAD", () => {
    const unstable = ["date", "x-request-id", "retry-after", "ratelimit", "connection", "keep-alive"];
    const stable = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !unstable.includes(name)));

    it("returns the headers of GET without the body, for every kind of operation", async () => {
      const { client } = target();
      const { job } = await client.turn(fixture("sample.png"), "jpg");
      const paths = [
        "/health",
        "/api/v1/formats",
        "/api/v1/formats/png/jpg",
        "/api/v1/openapi.json",
        "/api/v1/docs",
        "/api/v1/account",
        "/api/v1/convert?limit=1",
        `/api/v1/convert/${job.id}`,
        `/api/v1/convert/${job.id}/status`,
        `/api/v1/upload/${job.upload_id}`,
        "/api/v1/session",
        "/api/v1/nothing",
        "/api/v1/convert/job_0",
      ];
      for (const path of paths) {
        const [get, head] = [
          await send(path, { headers: authorization() }),
          await send(path, { method: "HEAD", headers: authorization() }),
        ];
        expect([path, head.status, stable(head)]).toEqual([path, get.status, stable(get)]);
        expect(await head.text()).toBe("");
      }
    });

    it("is never counted", async () => {
      const account = await newAccount(target(), 10);
      const { job } = await account.client.turn(fixture("sample.png"), "jpg");
      const used = await usedBy(target(), account);
      const head = await account.client.call(`/api/v1/download/${job.result?.download_token}`, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(await usedBy(target(), account)).toBe(used);
    });
  });

  describe("a method that is not allowed", () => {
    it("is never answered with the advice to delete", async () => {
      const reply = await target().client.call<Problem>("/api/v1/session/devices/ses_1");
      expect([reply.status, reply.headers.get("allow")]).toEqual([405, "DELETE"]);
      expect(reply.body.detail).toBe("Method GET is not allowed for this path.");
      const cancel = await target().client.call<Problem>("/api/v1/convert/job_0/cancel");
      expect([cancel.status, cancel.body.detail]).toEqual([
        405,
        "Method GET is not allowed for this path. Allowed: POST.",
      ]);
    });
  });

  describe("cross-origin requests", () => {
    const origin = { origin: "https://shop.example" };

    it("are allowed with an API key, and never with credentials", async () => {
      for (const path of ["/api/v1/account", "/api/v1/formats", "/api/v1/nothing", "/api/v1/convert/job_0"]) {
        const { headers } = await send(path, { headers: { ...authorization(), ...origin } });
        expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
        expect(headers.has("access-control-allow-credentials")).toBe(false);
        for (const name of ["Location", "Retry-After", "RateLimit", "ETag", "Content-Disposition", "X-Request-Id"]) {
          expect(headers.get("access-control-expose-headers")?.split(", ")).toContain(name);
        }
      }
    });

    it("are announced by a preflight request, which needs no key", async () => {
      const asked = { ...origin, "access-control-request-method": "POST", "access-control-request-headers": "prefer" };
      const { status, headers } = await send("/api/v1/convert", { method: "OPTIONS", headers: asked });
      expect([status, headers.get("access-control-allow-origin"), headers.get("access-control-allow-methods")]).toEqual(
        [204, "*", "POST, PUT, GET, HEAD"],
      );
      for (const name of ["Authorization", "Content-Type", "Idempotency-Key", "Prefer"]) {
        expect(headers.get("access-control-allow-headers")?.split(", ")).toContain(name);
      }
      expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
      expect(headers.has("access-control-allow-credentials")).toBe(false);
      expect((await send("/api/v1/nothing", { method: "OPTIONS", headers: asked })).status).toBe(404);
    });

    it("are not for what depends on a session", async () => {
      const session = await target().signIn(target().account.account_id);
      for (const path of ["/api/v1/session", "/api/v1/keys", "/api/v1/account"]) {
        const { status, headers } = await send(path, { headers: session });
        expect([path, status, headers.has("access-control-allow-origin")]).toEqual([path, 200, false]);
      }
      const preflight = await send("/api/v1/session", { method: "OPTIONS", headers: origin });
      expect([preflight.status, preflight.headers.has("access-control-allow-origin")]).toEqual([204, false]);
    });
  });

  describe("a path with surplus slashes", () => {
    it.each(["/api/v1/account/", "//api/v1/account", "/api//v1/account//"])("serves %s", async (path) => {
      const { status } = await send(path, { headers: authorization() });
      expect(status).toBe(200);
    });

    it("keeps the query of GET and the body of POST", async () => {
      const formats = await send("/api/v1/formats/?conversions=false");
      expect(((await formats.json()) as { conversions?: unknown[] }).conversions ?? []).toEqual([]);
      const reply = await send("//api/v1/convert/", {
        method: "POST",
        headers: { ...authorization(), "content-type": "application/json" },
        body: JSON.stringify({ upload_id: "upl_none", target_format: "jpg" }),
      });
      expect([reply.status, ((await reply.json()) as Problem).detail]).toEqual([404, "Upload upl_none not found."]);
    });
  });

  it.each(["/api", "/api/", "/API/V1/formats", "/api/v2/formats", "/Api/v1/account"])(
    "answers the unknown path %s with a problem",
    async (path) => {
      const reply = await send(path);
      expect([reply.status, reply.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    },
  );

  it("gives problems a type that depends on the code only", async () => {
    const reply = await send("/api/v1/nothing");
    expect(await reply.json()).toMatchObject({
      type: "urn:anyform:error:not_found",
      title: requestErrors.not_found.title,
      instance: "/api/v1/nothing",
    });
  });

  it("serves a request line with an absolute URL (RFC 9112, 3.2.2)", async () => {
    const { hostname, port, origin, protocol } = new URL(target().client.url);
    if (protocol !== "http:") {
      return;
    }
    const path = `${origin}/api/v1/formats`;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest({ hostname, port, path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it("answers OPTIONS * for the service as a whole, without a body", async () => {
    const { hostname, port, protocol } = new URL(target().client.url);
    if (protocol !== "http:") {
      return;
    }
    const [status, headers] = await new Promise<[number | undefined, IncomingHttpHeaders]>((resolve, reject) => {
      httpRequest({ hostname, port, path: "*", method: "OPTIONS" }, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers]);
      })
        .on("error", reject)
        .end();
    });
    expect([status, headers.allow]).toEqual([204, "GET, HEAD, POST, PUT, DELETE, OPTIONS"]);
  });

  it("sends no Content-Length with 204 (RFC 9110, 8.6)", async () => {
    const { body } = await target().client.upload(fixture("sample.png"));
    const reply = await send(`/api/v1/upload/${body.upload_id}`, { method: "DELETE", headers: authorization() });
    expect([reply.status, reply.headers.has("content-length")]).toEqual([204, false]);
  });

  it("confirms that a preference was honored", async () => {
    const { client } = target();
    const { body } = await client.upload(fixture("sample.png"));
    const reply = await client.convert({ upload_id: body.upload_id, target_format: "jpg" }, { prefer: "wait=99" });
    expect(reply.headers.get("preference-applied")).toBe("wait=25");
    const path = `/api/v1/convert/${reply.body.id}/status`;
    expect((await client.call(path)).headers.has("preference-applied")).toBe(false);
    expect((await client.call(path, { headers: { prefer: "respond-async" } })).headers.has("preference-applied")).toBe(
      false,
    );
  });
};
