import { execFileSync } from "node:child_process";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetKey, freshKey, keepKey, markSaved, newKey } from "../../dashboard/fresh-key.ts";
import { curlExample } from "../../dashboard/pages/keys/curl.ts";
import { expiryOf, isValid, stateOf } from "../../dashboard/pages/keys/key-state.ts";
import { en } from "../../dashboard/text/en.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();

describe("a key's state", () => {
  test("is valid until the key expires or is revoked, and expiring during its last week", () => {
    expect(stateOf({ revoked_at: null, expires_at: null }, NOW)).toBe("active");
    expect(stateOf({ revoked_at: null, expires_at: at(8 * 24) }, NOW)).toBe("active");
    expect(stateOf({ revoked_at: null, expires_at: at(24) }, NOW)).toBe("expiring");
    expect(stateOf({ revoked_at: null, expires_at: at(0) }, NOW)).toBe("expired");
    expect(stateOf({ revoked_at: at(-1), expires_at: at(24) }, NOW)).toBe("revoked");
    expect(isValid({ revoked_at: null, expires_at: at(1) }, NOW)).toBe(true);
    expect(isValid({ revoked_at: at(-1), expires_at: null }, NOW)).toBe(false);
  });

  test("accepts an expiry of never, a number of days, or the end of a day that is not in the past", () => {
    expect(expiryOf("never", "", NOW)).toBeNull();
    expect(expiryOf("30", "", NOW)).toBe(at(30 * 24));
    expect(Date.parse(expiryOf("date", "2026-11-25", NOW) ?? "")).toBe(Date.parse("2026-11-25T23:59:59"));
    expect(expiryOf("date", "2026-11-19", NOW)).toBeUndefined();
    expect(expiryOf("date", "", NOW)).toBeUndefined();
    expect(expiryOf("date", "tomorrow", NOW)).toBeUndefined();
  });
});

describe("a new key", () => {
  const KEY = { key: "af_live_abcdef123", name: "Website", kind: "live", scopes: ["upload"] } as const;

  beforeEach(() => keepKey(KEY));

  test("is displayed until it is saved, and stays in the examples after that", () => {
    expect(newKey.value).toEqual(KEY);
    markSaved();
    expect(newKey.value).toBeUndefined();
    expect(freshKey.value).toBe(KEY.key);
  });

  test("is forgotten when it is revoked, and not when another key is", () => {
    forgetKey("af_live_zzzzzz");
    expect(freshKey.value).toBe(KEY.key);
    forgetKey("af_live_abcdef");
    expect(freshKey.value).toBeUndefined();
    expect(newKey.value).toBeUndefined();
  });

  test("is forgotten with the session", () => {
    freshKey.value = undefined;
    expect(newKey.value).toBeUndefined();
  });
});

describe("the terminal commands", () => {
  const lines = (address: string): string => curlExample({ key: "af_live_x", address, comments: en.keys.curl });

  test("convert in one call at the URL of this service", () => {
    const text = lines("https://files.example.com");
    expect(text).toContain("API='https://files.example.com/api/v1'");
    expect(text).toMatch(/curl .*"\$API\/convert" .*-F file=@people\.csv -F target_format=json/);
  });

  test("are valid in a shell, and a URL cannot break out of its quotes", () => {
    const text = lines("https://x.example/'; touch /tmp/broken-out; '");
    execFileSync("sh", ["-n"], { input: text });
    const [assignment = ""] = text.split("\n").filter((line) => line.startsWith("API="));
    const output = execFileSync("sh", ["-c", `${assignment}\nprintf %s "$API"`], { encoding: "utf8" });
    expect(output).toBe("https://x.example/'; touch /tmp/broken-out; '/api/v1");
  });
});
