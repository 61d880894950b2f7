import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { newApiKey } from "../../../functions/domain/accounts/keys.ts";
import { newDownloadToken } from "../../../functions/domain/ids.ts";
import {
  LOGGED_BODY_BYTES_MAX,
  loggedBody,
  REDACTED,
  withoutSecrets,
} from "../../../functions/domain/requests/redaction.ts";

describe("a logged body", () => {
  test("contains no key, token, password, webhook secret or signed URL", () => {
    const [key, token] = [newApiKey(randomBytes), newDownloadToken(randomBytes)];
    const secret = `whsec_${randomBytes(24).toString("base64")}`;
    const { text } = loggedBody({
      key,
      secrets: [secret],
      password: "open sesame",
      result: { download_token: token, download_url: `https://files.example/api/v1/download/${token}` },
      detail: `The key ${key} was sent twice.`,
      upload: {
        url: "https://s3.example/uploads/upl_1?X-Amz-Signature=abc123",
        headers: { authorization: "Basic eA==" },
      },
      webhook_url: "https://user:hunter2@example.com/hook?token=xyz",
      nested: [[{ apiKey: "k", credentials: { user: "u", access: "a" } }]],
    });
    for (const hidden of [key, token, secret, "open sesame", "abc123", "eA==", "hunter2", "xyz", '"k"', '"u"']) {
      expect(text).not.toContain(hidden);
    }
    expect(JSON.parse(text)).toMatchObject({ key: REDACTED, result: { download_token: REDACTED } });
  });

  test("keeps what is not secret", () => {
    const body = { id: "job_1", status: "failed", progress: 100, error: { code: "source_corrupt" }, result: null };
    expect(loggedBody(body)).toEqual({ text: JSON.stringify(body), truncated: false });
  });

  test("is bounded for long lists, long texts, deep and wide values, and says so", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 10_000; level += 1) {
      deep = { deep };
    }
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, index]));
    for (const body of [Array.from({ length: 100_000 }, () => ({ a: 1 })), { text: "ü".repeat(1e6) }, deep, wide]) {
      const { text, truncated } = loggedBody(body);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LOGGED_BODY_BYTES_MAX);
      expect(truncated).toBe(true);
      expect(() => JSON.parse(text)).not.toThrow();
    }
    const { text } = loggedBody(Array.from({ length: 20 }, () => "ü".repeat(400)));
    expect(text).not.toContain("\uFFFD");
  });

  test("cuts no secret to a text that no longer looks like one", () => {
    const key = newApiKey(randomBytes);
    const { text } = loggedBody({ detail: `${"x".repeat(380)} ${key}` });
    expect(text).not.toContain(key.slice(0, 16));
  });
});

test("a path has no download token and no query", () => {
  const token = newDownloadToken(randomBytes);
  expect(withoutSecrets(`/api/v1/download/${token}`)).toBe(`/api/v1/download/${REDACTED}`);
  expect(withoutSecrets("/api/v1/convert/job_1/status")).toBe("/api/v1/convert/job_1/status");
});
