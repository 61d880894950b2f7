import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEYS_MAX } from "../../functions/domain/accounts/account-limits.ts";
import type { NewKeyView } from "../../functions/domain/accounts/key-views.ts";
import { hashApiKey, newApiKey } from "../../functions/domain/accounts/keys.ts";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import { requestErrors } from "../../functions/domain/errors/request-errors.ts";
import { type UploadErrorCode, uploadErrors } from "../../functions/domain/errors/upload-errors.ts";
import type { JobErrorCode, RequestErrorCode } from "../../functions/domain/errors.ts";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import type { UploadView } from "../../functions/domain/uploads/upload-views.ts";
import { sqliteAccounts } from "../../local/sqlite/accounts.ts";
import { type Database, openDatabase } from "../../local/sqlite/database.ts";
import { sqliteUploads } from "../../local/sqlite/uploads.ts";
import { addressOf } from "../support/address.ts";
import { hugePng } from "../support/png.ts";
import type { ApiClient, Call } from "../support/services/client.ts";
import { startLocalTarget } from "../support/services/targets.ts";
import { keyRecord, sentRecord } from "../support/world/records.ts";
import { announce, complete, put, putParts, sha256Of } from "./suite/direct.ts";
import { slowUpload } from "./suite/idempotency.ts";
import { uploadAs } from "./suite/source-format.ts";
import { accountOn, fixture, keyOf, memberOn, newAccount, pagesOf, type Target } from "./suite/target.ts";

/**
 * The error tables, with a request that causes each error on one machine. The types ensure that a code without a row
 * does not compile. Errors that only AWS stores or a broken engine can cause are simulated with a test key, and the
 * engines' tests have files for the rest.
 */

let running: Awaited<ReturnType<typeof startLocalTarget>>;
let target: Target;
let client: ApiClient;
let tester: ApiClient;
let database: Database;
let server: Server;
let origin: string;
let png: Buffer;

beforeAll(async () => {
  running = await startLocalTarget({
    ANYFORM_WAITING_JOBS: "8",
    // Nothing connects to it: the sign-in of the test is unknown.
    ANYFORM_OIDC_ISSUER: "http://127.0.0.1:9",
    ANYFORM_OIDC_CLIENT_ID: "anyform",
    ANYFORM_OIDC_CLIENT_SECRET: "secret",
  });
  ({ target } = running);
  ({ client } = target);
  tester = await keyOf(target, target.account, ["--test"]);
  database = openDatabase(running.dataDir);
  png = await readFile(fixture("sample.png"));
  server = createServer((request, response) => {
    const tooMuch = request.url === "/large" ? { "content-length": "6000000000" } : {};
    response.writeHead(request.url === "/missing" ? 404 : 200, tooMuch);
    response.flushHeaders();
    if (request.url !== "/large") {
      response.end(request.url === "/noise" ? Buffer.from([1, 0, 2, 0, 0xff, 0xfe, 0, 0]) : undefined);
    }
  });
  origin = await addressOf(server);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  database.close();
  await running.stop();
});

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const uploaded = async (): Promise<string> => (await client.upload({ name: "a.png", bytes: png })).body.upload_id;
const convertTo = async (target_format: string, options?: object): Promise<Reply> =>
  client.convert({ upload_id: await uploaded(), target_format, ...(options && { options }) });
const idempotent = (size: number, headers: Record<string, string>) =>
  announce(client, { filename: "a.png", size }, headers);

const json = (body: unknown): Call => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const limitedKey = async (limits: object): Promise<ApiClient> => {
  const ask = await pagesOf(target, target.account);
  const { body } = await ask<NewKeyView>("/api/v1/keys", { method: "POST", json: { name: "limited", ...limits } });
  return client.withKey(body.key);
};

const requests = {
  malformed_json: () => client.convert("{"),
  malformed_multipart: () =>
    client.call("/api/v1/upload", {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: "--b\r\nnonsense",
    }),
  invalid_request: () => client.convert({}),
  missing_api_key: () => client.withKey(undefined).call("/api/v1/account"),
  invalid_api_key: () => client.withKey("af_live_nonsense").call("/api/v1/account"),
  expired_api_key: async () => {
    const key = newApiKey(randomBytes);
    const accountId = target.account.account_id;
    await sqliteAccounts(database).addKey(keyRecord({ accountId, ...hashApiKey(key), expiresAt: Date.now() - 1 }));
    return client.withKey(key).call("/api/v1/account");
  },
  missing_session: () => client.call("/api/v1/session/devices"),
  cross_site: async () => {
    const headers = { ...(await target.signIn(target.account.account_id)), "sec-fetch-site": "cross-site" };
    return client.withKey(undefined).call("/api/v1/session", { method: "DELETE", headers });
  },
  wrong_code: () => {
    const call = json({ challenge_id: `cha_${"0".repeat(22)}`, code: "123456" });
    const headers = { ...call.headers, "sec-fetch-site": "same-origin" };
    return client.call("/api/v1/session", { ...call, headers });
  },
  forbidden_role: async () => {
    const member = await memberOn(target, "billing");
    return client.withKey(undefined).call("/api/v1/keys", { headers: member.headers });
  },
  owner_required: async () => {
    const { headers, founderId } = await memberOn(target, "owner");
    const call = { method: "DELETE", headers } as const;
    return client.withKey(undefined).call(`/api/v1/session/members/${founderId}`, call);
  },
  invitation_refused: () => {
    const call = json({ code: "unknown" });
    const headers = { ...call.headers, "sec-fetch-site": "same-origin" };
    return client.call("/api/v1/session/invitation", { ...call, headers });
  },
  identity_refused: () => {
    const call = json({ challenge_id: `cha_${"0".repeat(22)}`, code: "code", state: "state" });
    const headers = { ...call.headers, "sec-fetch-site": "same-origin" };
    return client.call("/api/v1/session/oidc", { ...call, headers });
  },
  // Tests use the service's IP address, and passkeys are bound to a host name.
  passkey_refused: () => client.call("/api/v1/session/passkey/options", { method: "POST" }),
  forbidden_scope: async () => (await keyOf(target, target.account, ["--scopes", "read"])).convert({}),
  forbidden_origin: async () => {
    const limited = await limitedKey({ allowed_origins: ["https://example.com"] });
    return limited.call("/api/v1/account", { headers: { origin: "https://example.org" } });
  },
  key_quota_exceeded: async () => {
    const limited = await limitedKey({ monthly_limit: 1 });
    await limited.upload({ name: "a.png", bytes: png });
    return limited.upload({ name: "a.png", bytes: png });
  },
  not_found: () => client.call("/api/v1/convert/job_none/status"),
  not_acceptable: () => client.call("/api/v1/formats?conversions=true", { headers: { "accept-encoding": "identity" } }),
  method_not_allowed: () => client.call("/api/v1/upload", { method: "DELETE" }),
  upload_incomplete: async () => {
    const { body } = await announce(client, { filename: "a.png", size: 10 });
    return client.convert({ upload_id: body.upload_id, target_format: "jpg" });
  },
  idempotency_conflict: async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const both = [slowUpload(target, headers), slowUpload(target, headers)];
    const refused = await Promise.race(both.map(({ answer }) => answer));
    for (const { request, answer } of both) {
      // The first already has its response, and this ends the other one.
      answer.catch(() => undefined);
      request.destroy();
    }
    return refused;
  },
  email_taken: async () => {
    const other = `other-${crypto.randomUUID()}@example.com`;
    await target.accounts(["create", "--email", other, "--plan", "free"]);
    const ask = await pagesOf(target, target.account);
    const sent = await ask<{ challenge_id: string }>("/api/v1/session/code", {
      method: "POST",
      json: { email: other },
    });
    const code = { challenge_id: sent.body.challenge_id, code: await target.codeFor(other) };
    return ask("/api/v1/session/email", { method: "POST", json: code });
  },
  subscription_active: async () => {
    const account = await newAccount(target, 1);
    const billing = { customerId: "cus_1", subscriptionId: "sub_1", status: "active" } as const;
    await sqliteAccounts(database).change(account.account_id, { billing });
    return (await pagesOf(target, account))("/api/v1/session/account", { method: "DELETE" });
  },
  limit_reached: async () => {
    const account = await newAccount(target, 1);
    for (let count = 0; count < KEYS_MAX; count += 1) {
      await sqliteAccounts(database).addKey(keyRecord({ accountId: account.account_id }));
    }
    return (await pagesOf(target, account))("/api/v1/keys", { method: "POST", json: { name: "more" } });
  },
  expired: async () => {
    const upload_id = await uploaded();
    await sqliteUploads(database).expire(upload_id, Date.now() - 1);
    return client.convert({ upload_id, target_format: "jpg" });
  },
  payload_too_large: () => tester.upload({ name: "a.txt", bytes: Buffer.alloc(1_000_001, "x") }),
  unsupported_media_type: () => client.call("/api/v1/convert", { method: "POST", body: "{}" }),
  unsupported_conversion: () => convertTo("mp3"),
  invalid_options: () => convertTo("jpg", { colour: "red" }),
  upload_failed: async () => {
    const { upload_id } = await fetched("/empty");
    return client.convert({ upload_id, target_format: "jpg" });
  },
  idempotency_mismatch: async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    await idempotent(10, headers);
    return idempotent(11, headers);
  },
  unrecognized_format: () => client.upload({ name: "a.png", bytes: Buffer.from([1, 0, 2, 0, 0xff, 0xfe, 0, 0]) }),
  source_format_mismatch: () => uploadAs(client, { name: "a.png", bytes: png }, "pdf"),
  rate_limited: async () => {
    const { client: crowd } = await accountOn(target, ["--plan", "free"]);
    const replies = await Promise.all(Array.from({ length: 120 }, () => crowd.call("/api/v1/account")));
    return replies.find(({ status }) => status === 429) ?? { status: 200, body: undefined };
  },
  quota_exceeded: async () => (await newAccount(target, 0)).client.upload({ name: "a.png", bytes: png }),
  internal_error: async () => {
    const folder = join(running.dataDir, "files/tmp");
    rmSync(folder, { recursive: true });
    const reply = await client.upload({ name: "a.png", bytes: png });
    mkdirSync(folder);
    return reply;
  },
  not_offered: async () =>
    (await pagesOf(target, target.account))("/api/v1/session/billing", { method: "POST", json: {} }),
  temporarily_unavailable: async () => {
    const upload_id = await uploaded();
    const flood = Array.from({ length: 60 }, () => client.convert({ upload_id, target_format: "jpg" }));
    const refused = (await Promise.all(flood)).find(({ status }) => status === 503);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    return refused ?? { status: 202, body: undefined };
  },
} satisfies Record<RequestErrorCode, () => Promise<Reply>>;

const fetched = async (path: string): Promise<UploadView> => {
  const { body } = await announce(client, { url: `${origin}${path}` });
  return (await client.call<UploadView>(`/api/v1/upload/${body.upload_id}?wait=25`)).body;
};

const uploads = {
  empty: () => fetched("/empty"),
  size_mismatch: async () => {
    // The file store accepts only the declared bytes, so the file is written to its folder.
    const { parts: _, sha256: __, ...source } = sentRecord().source;
    const now = Date.now();
    const times = { createdAt: now, expiresAt: now + 60_000 };
    const record = { ...sentRecord(), ...times, accountId: target.account.account_id };
    writeFileSync(join(running.dataDir, "files/uploads", record.id), png);
    await sqliteUploads(database).createUpload(
      { ...record, source: { ...source, bytes: png.length + 1, completedAt: now } },
      undefined,
    );
    return (await client.call<UploadView>(`/api/v1/upload/${record.id}?wait=25`)).body;
  },
  hash_mismatch: async () => {
    const content = Buffer.alloc(100_000_001, "anyform ");
    const { body } = await announce(client, { filename: "a.txt", size: content.length, sha256: sha256Of(png) });
    await putParts(body.upload?.parts ?? [], content);
    return (await complete(client, body.upload_id)).body;
  },
  payload_too_large: () => fetched("/large"),
  unrecognized_format: async () => {
    const { body } = await announce(client, { filename: "a.png", size: 4 });
    await put(body.upload, Buffer.from([1, 0, 0xff, 0xfe]));
    return (await complete(client, body.upload_id)).body;
  },
  source_format_mismatch: async () => {
    const { body } = await announce(client, { filename: "a.png", size: png.length, source_format: "pdf" });
    await put(body.upload, png);
    return (await complete(client, body.upload_id)).body;
  },
  address_refused: async () => {
    const { body } = await announce(client, { url: "http://10.0.0.1/" });
    return (await client.call<UploadView>(`/api/v1/upload/${body.upload_id}?wait=25`)).body;
  },
  fetch_failed: () => fetched("/missing"),
} satisfies Record<UploadErrorCode, () => Promise<UploadView>>;

const converted = async (bytes: Uint8Array, name = "a.png", own = client): Promise<JobView> => {
  const { body } = await own.upload({ name, bytes });
  return (await own.convert({ upload_id: body.upload_id, target_format: "jpg" }, { prefer: "wait=25" })).body;
};
const forced = (code: JobErrorCode) => converted(png, `fail-${code}.png`, tester);

const jobs = {
  source_corrupt: () => converted(png.subarray(0, 150)),
  too_many_pixels: () => converted(hugePng(60_000, 60_000)),
  source_mismatch: () => forced("source_mismatch"),
  password_required: () => forced("password_required"),
  too_many_pages: () => forced("too_many_pages"),
  too_long: () => forced("too_long"),
  archive_unsafe: () => forced("archive_unsafe"),
  output_too_large: () => forced("output_too_large"),
  unsupported_feature: () => forced("unsupported_feature"),
  cancelled: () => forced("cancelled"),
  page_unavailable: () => forced("page_unavailable"),
  page_refused: () => forced("page_refused"),
  timed_out: () => forced("timed_out"),
  out_of_memory: () => forced("out_of_memory"),
  engine_failed: () => forced("engine_failed"),
  engine_crashed: () => forced("engine_crashed"),
} satisfies Record<JobErrorCode, () => Promise<JobView>>;

describe("each error of a request", () => {
  it.each(Object.entries(requests) as [RequestErrorCode, () => Promise<Reply>][])("%s", async (code, provoke) => {
    const { status, retryable } = requestErrors[code];
    expect(await provoke()).toMatchObject({ status, body: { code, retryable } });
  });
});

describe("each error of an upload", () => {
  it.each(Object.entries(uploads) as [UploadErrorCode, () => Promise<UploadView>][])("%s", async (code, provoke) => {
    const { retryable } = uploadErrors[code];
    expect(await provoke()).toMatchObject({ status: "failed", error: { code, retryable } });
  });
});

describe("each error of a job", () => {
  it.each(Object.entries(jobs) as [JobErrorCode, () => Promise<JobView>][])("%s", async (code, provoke) => {
    const { retryable } = jobErrors[code];
    expect(await provoke()).toMatchObject({ status: "failed", error: { code, retryable }, result: null });
  });
});
