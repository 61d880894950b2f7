import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UploadView } from "../../functions/domain/uploads/upload-views.ts";
import { type DocumentCheck, documentCheck, type OpenapiDocument } from "../support/document-check.ts";
import { type FuzzWorld, fuzzRequest } from "../support/fuzz.ts";
import { seeded } from "../support/random.ts";
import { IS_COMPLETE } from "../support/run/complete.ts";
import type { ApiClient } from "../support/services/client.ts";
import { type RawRequest, sendRaw } from "../support/services/raw-request.ts";
import { startAwsTarget, startLocalTarget } from "../support/services/targets.ts";
import { fixture } from "./suite/target.ts";

/**
 * Random requests, the same in each run. `ANYFORM_FUZZ_SEED` selects others and `ANYFORM_FUZZ_REQUESTS` their number.
 * A failure is reported with its seed and request.
 */
const SEED = Number(process.env.ANYFORM_FUZZ_SEED ?? 20_261_121);
const REQUESTS = Number(process.env.ANYFORM_FUZZ_REQUESTS ?? (IS_COMPLETE ? 400 : 150));
const AT_ONCE = 4;
const RUN_MS_MAX = 120_000 + REQUESTS * 200;

describe.each([
  ["one machine", startLocalTarget],
  ["the Lambda handlers over AWS adapters", startAwsTarget],
])("random requests to %s", (_name, start) => {
  let running: Awaited<ReturnType<typeof start>>;
  let world: FuzzWorld;
  let check: DocumentCheck;
  beforeAll(async () => {
    running = await start();
    const { client, account } = running.target;
    const document = (await client.call<OpenapiDocument>("/api/v1/openapi.json")).body;
    check = documentCheck(document);
    const file = await readFile(fixture("grey.png"));
    world = { document, known: await knownThings(client), keys: [account.api_key, "af_live_x"], file };
  });
  afterAll(() => running?.stop());

  test(
    `get no 5xx except 501, and only documented responses (${REQUESTS} from seed ${SEED})`,
    async () => {
      const random = seeded(SEED);
      const requests = Array.from({ length: REQUESTS }, () => fuzzRequest(world, random));
      const wrong: string[] = [];
      const statuses = new Map<number, number>();
      for (let at = 0; at < requests.length; at += AT_ONCE) {
        await Promise.all(
          requests.slice(at, at + AT_ONCE).map(async (request, index) => {
            const status = await tried(request).catch((error: unknown) => {
              wrong.push(
                `seed ${SEED}, request ${at + index}: ${described(request)}\n${String(error).slice(0, 1_000)}`,
              );
              return 0;
            });
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }),
        );
      }
      expect(wrong).toEqual([]);
      // A generator of only invalid requests would prove nothing.
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 202, 400, 401, 404, 405, 415, 422]));
    },
    RUN_MS_MAX,
  );

  const tried = async (request: RawRequest): Promise<number> => {
    const reply = await sendRaw(running.target.client.url, request);
    // A feature that is not enabled on this server is not a fault.
    expect(reply.status === 501 ? 0 : reply.status).toBeLessThan(500);
    check(request.method, request.path, reply);
    return reply.status;
  };

  const json: [string, string] = ["content-type", "application/json"];
  const form: [string, string] = ["content-type", "multipart/form-data; boundary=b"];
  const skipped = `--b\r\nContent-Disposition: attachment\r\n\r\n${"s".repeat(200_000)}\r\n--b--\r\n`;

  /** Bugs that random requests have found. */
  test.each<[string, Omit<RawRequest, "body"> & { body?: string }, number]>([
    ["a body that is null", { method: "POST", path: "/api/v1/convert", headers: [json], body: "null" }, 400],
    [
      "a batch with a null item",
      { method: "POST", path: "/api/v1/convert/batch", headers: [json], body: '{"conversions":[null]}' },
      200,
    ],
    ["the cursor of another list", { method: "GET", path: "/api/v1/webhooks?after=job_1", headers: [] }, 400],
    [
      "a large part that is not a field",
      { method: "POST", path: "/api/v1/upload", headers: [form], body: skipped },
      400,
    ],
    ["an unknown expectation", { method: "GET", path: "/health", headers: [["expect", "tea"]] }, 200],
    [
      "an invalid host",
      { method: "POST", path: "/api/v1/upload", headers: [json, ["host", "["]], body: '{"filename":"a","size":1}' },
      201,
    ],
  ])("get a response with %s", async (_what, { body, headers, ...rest }, status) => {
    const authorization: [string, string] = ["authorization", `Bearer ${world.keys[0]}`];
    const sent = { ...rest, headers: [...headers, authorization], ...(body && { body: Buffer.from(body) }) };
    expect(await tried(sent)).toBe(status);
  });

  test("with a request line or headers that are too long are rejected with 431", async () => {
    const long = "l".repeat(40_000);
    const { url } = running.target.client;
    const line = await sendRaw(url, { method: "GET", path: `/api/v1/formats?source=${long}`, headers: [] });
    const header = await sendRaw(url, { method: "GET", path: "/health", headers: [["x-long", long]] });
    expect([line.status, header.status]).toEqual([431, 431]);
  });
});

const described = ({ method, path, headers, body }: RawRequest): string =>
  `${method} ${path.slice(0, 500)} ${JSON.stringify(headers).slice(0, 700)} ${body?.toString("utf8").slice(0, 700)}`;

/** Creates a client's resources: uploads in all states, jobs, a result, and an undeliverable webhook message. */
const knownThings = async (client: ApiClient): Promise<FuzzWorld["known"]> => {
  const upload = await client.upload(fixture("grey.png"));
  const direct = await client.call<UploadView>("/api/v1/upload", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ filename: "a.mov", size: 120_000_000 }),
  });
  const body = { upload_id: upload.body.upload_id, target_format: "jpg", webhook_url: "http://127.0.0.1:9/" };
  const { body: job } = await client.convert(body, { prefer: "wait=25" });
  expect(job.status).toBe("completed");
  const other = await client.convert({ ...body, target_format: "webp" });
  return {
    uploadId: [upload.body.upload_id, upload.body.upload_id, direct.body.upload_id, "upl_0"],
    jobId: [job.id, other.body.id, "job_0"],
    token: [job.result?.download_token ?? ""],
    messageId: [job.id.replace("job_", "msg_")],
    wait: ["0", "1"],
    prefer: ["wait=0", "wait=1"],
    limit: ["1", "100", "101"],
    after: [job.id],
  };
};
