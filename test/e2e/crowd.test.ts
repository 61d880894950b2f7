import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL_WAITS_PER_ACCOUNT_MAX, WAITS_PER_ACCOUNT_MAX } from "../../functions/domain/limits.ts";
import type { UploadView } from "../../functions/domain/uploads/upload-views.ts";
import { addressOf } from "../support/address.ts";
import { type RunningTarget, startAwsTarget, startLocalTarget } from "../support/services/targets.ts";
import { type AccountClient, accountOn, fixture, newAccount } from "./suite/target.ts";

/**
 * Accounts that take as much as they can get: two that wait with all their requests, one that imports from a server that
 * never ends, and one that floods. Nothing that a well-behaved account does is rejected or has to wait for them.
 */

const TEST_MS_MAX = 300_000;
const IMPORTS = 12;
const FLOOD_JOBS = 40;
/** A file of 292 bytes must not end before the test does, on a busy machine either. */
const BYTE_MS = 10_000;

/** Sends a byte every 10 s, so that imports do not fail for silence, and the rest when the test releases it. */
const slowServer = (png: Buffer) => {
  const open = new Map<ServerResponse, number>();
  let isReleased = false;
  const server: Server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "image/png", "content-length": png.length });
    if (isReleased || request.url === "/fast") {
      response.end(png);
      return;
    }
    response.write(png.subarray(0, 1));
    open.set(response, 1);
    response.on("close", () => open.delete(response));
  });
  const timer = setInterval(() => {
    for (const [response, sent] of open) {
      response.write(png.subarray(sent, sent + 1));
      open.set(response, sent + 1);
    }
  }, BYTE_MS);
  const release = (): void => {
    isReleased = true;
    clearInterval(timer);
    for (const [response, sent] of open) {
      response.end(png.subarray(sent));
    }
    open.clear();
  };
  return { server, opened: () => open.size, release };
};

describe.each([
  ["one machine", startLocalTarget, { waits: LOCAL_WAITS_PER_ACCOUNT_MAX + 5, flood: 200 }],
  [
    "the Lambda handlers over AWS adapters",
    startAwsTarget,
    // On AWS an account may hold the waits of two windows of time. Here one process has all functions, whose clients
    // share 50 connections, so that requests of a larger flood would wait too long for one.
    { waits: 2 * WAITS_PER_ACCOUNT_MAX + 5, flood: 60 },
  ],
] as const)("hostile accounts on %s", (_name, start, { waits, flood: floodRequests }) => {
  let running: RunningTarget;
  let slow: ReturnType<typeof slowServer>;
  let slowUrl: string;
  let png: Buffer;
  /** Hostile clients have their own connections. */
  const agent = new Agent({ connections: 1_000 });
  beforeAll(async () => {
    png = await readFile(fixture("sample.png"));
    slow = slowServer(png);
    [running, slowUrl] = await Promise.all([start(), addressOf(slow.server)]);
  }, TEST_MS_MAX);
  afterAll(async () => {
    await running.stop();
    await agent.destroy();
    slow.release();
    slow.server.closeAllConnections();
    slow.server.close();
  });

  const imported = async ({ client }: AccountClient, path: string): Promise<UploadView> => {
    const body = JSON.stringify({ url: `${slowUrl}${path}` });
    const headers = { "content-type": "application/json" };
    return (await client.call<UploadView>("/api/v1/upload", { method: "POST", headers, body })).body;
  };
  const asked = async (
    { client, api_key }: AccountClient,
    path: string,
  ): Promise<{ status: number; body: unknown }> => {
    const headers = { authorization: `Bearer ${api_key}` };
    const response = await fetch(new URL(path, client.url), { headers, dispatcher: agent });
    return { status: response.status, body: await response.json() };
  };

  /** Waits with all requests for an upload. @returns the state that each was answered with, in order */
  const waiting = (account: AccountClient, { upload_id }: UploadView) => {
    const states: string[] = [];
    const all = Array.from({ length: waits }, async () => {
      const { status, body } = await asked(account, `/api/v1/upload/${upload_id}?wait=25`);
      // On a busy machine, requests of these accounts can be refused.
      states.push(status === 503 ? "refused" : (body as UploadView).status);
    });
    return { states, ended: Promise.all(all) };
  };

  /** Sends a file directly, converts it, and downloads the result. @returns the first bytes of the result */
  const goodWork = async ({ client }: AccountClient): Promise<string> => {
    const json = { "content-type": "application/json" };
    const created = await client.call<UploadView>("/api/v1/upload", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ filename: "a.png", size: png.length }),
    });
    const { upload_id, upload } = created.body;
    expect(created.status).toBe(201);
    const { url, headers } = upload as { url: string; headers?: Record<string, string> };
    expect((await fetch(new URL(url, client.url), { method: "PUT", headers: headers ?? {}, body: png })).ok).toBe(true);
    const complete = `/api/v1/upload/${upload_id}/complete?wait=25`;
    const checked = await client.call<UploadView>(complete, { method: "POST" });
    expect([checked.status, checked.body.status]).toEqual([200, "ready"]);
    const { bytes } = await client.turn({ name: "a.png", bytes: png }, "jpg");
    return bytes.subarray(0, 3).toString("hex");
  };

  test(
    "block neither the upload nor the import, conversion or download of another account",
    async () => {
      const { target } = running;
      const [first, second, importer, good] = await Promise.all([
        newAccount(target, 1_000),
        newAccount(target, 1_000),
        newAccount(target, 1_000),
        newAccount(target, 1_000),
      ]);
      const flooder = await accountOn(target, ["--plan", "free"]);

      for (let number = 0; number < IMPORTS; number += 1) {
        await imported(importer, "/slow");
      }
      await expect.poll(slow.opened, { timeout: TEST_MS_MAX }).toBeGreaterThan(0);
      const waiters = [
        waiting(first, await imported(first, "/slow")),
        waiting(second, await imported(second, "/slow")),
      ];
      for (const { states } of waiters) {
        await expect.poll(() => states.length, { timeout: TEST_MS_MAX }).toBeGreaterThanOrEqual(5);
      }
      const { body: queued } = await flooder.client.upload({ name: "a.png", bytes: png });
      const jobs = await flooder.client.call("/api/v1/convert/batch", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          conversions: Array.from({ length: FLOOD_JOBS }, () => ({
            upload_id: queued.upload_id,
            target_format: "gif",
          })),
        }),
      });
      expect(jobs.status).toBeLessThan(300);
      const flood = Promise.all(
        Array.from({ length: floodRequests }, () => asked(flooder, "/api/v1/convert").then(({ status }) => status)),
      );

      const fetched = await imported(good, "/fast");
      expect(await goodWork(good)).toBe("ffd8ff");
      await expect
        .poll(async () => (await asked(good, `/api/v1/upload/${fetched.upload_id}`)).body, { timeout: TEST_MS_MAX })
        .toMatchObject({ status: "ready" });
      // On a busy machine, the flood can stay below its limit.
      expect((await flood).filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect(slow.opened()).toBeGreaterThan(0);

      // Those that were not allowed to wait were answered at once with the current state, the others with the end.
      const answered = waiters.map(({ states }) => states.length);
      slow.release();
      for (const [index, { states, ended }] of waiters.entries()) {
        await ended;
        const served = states.filter((state) => state !== "refused");
        expect(served.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "pending"));
        expect(states).toHaveLength(waits);
        // On a busy machine, all waits can end before the release.
        expect(served.at(-1)).toBe(answered[index] === waits ? "pending" : "ready");
      }
    },
    TEST_MS_MAX,
  );
});
