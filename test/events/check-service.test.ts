import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkService } from "../../functions/events/check-service.ts";
import { addressOf } from "../support/address.ts";
import { type RunningTarget, startAwsTarget } from "../support/services/targets.ts";

/** The scheduled check against the Lambda handlers over AWS adapters, and against services that fail. */

let running: RunningTarget;
let key: string;
beforeAll(async () => {
  running = await startAwsTarget();
  const { accounts, account } = running.target;
  const args = ["create-key", "--account", account.account_id, "--name", "check", "--test"];
  ({ api_key: key } = await accounts<{ api_key: string }>(args));
});
afterAll(() => running.stop());

describe("the check of a working service", () => {
  test("converts a file with a test key, which is not metered", async () => {
    const { client } = running.target;
    const before = (await client.call<{ requests: unknown }>("/api/v1/account/use")).body;
    await expect(checkService({ url: client.url, key })).resolves.toBeUndefined();
    expect((await client.call("/api/v1/account/use")).body).toEqual(before);
  });

  test("fails with a revoked key, and names the step and the status", async () => {
    const { url } = running.target.client;
    const wrong = "af_test_000000000000000000000000000000000000000000000";
    await expect(checkService({ url, key: wrong })).rejects.toThrow("upload returned 401.");
  });
});

describe("the check of a failing service", () => {
  let server: Server;
  let url: string;
  let job: object;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      const isDownload = request.url?.startsWith("/api/v1/download/");
      const body = isDownload ? "an error page" : JSON.stringify({ upload_id: "upl_1", ...job });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    url = await addressOf(server);
  });
  afterAll(() => server.close());

  test.each([
    [{ id: "job_1", status: "failed" }, "The job is failed."],
    [{ id: "job_1", status: "queued" }, "The job is queued."],
    [{ id: "job_1", status: "completed", result: { download_token: "dl_1" } }, "The result has a different content."],
  ])("reports %o", async (state, message) => {
    job = state;
    await expect(checkService({ url, key })).rejects.toThrow(message);
  });

  test("reports that nobody responds", async () => {
    await expect(checkService({ url: "http://127.0.0.1:1", key })).rejects.toThrow("upload did not respond.");
  });
});
