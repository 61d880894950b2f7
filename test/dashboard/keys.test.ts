import { execFileSync } from "node:child_process";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetKey, freshKey, keepKey, madeKey, markSaved } from "../../dashboard/fresh-key.ts";
import { curlExample } from "../../dashboard/pages/keys/curl.ts";
import { expiryOf, holds, stateOf } from "../../dashboard/pages/keys/key-state.ts";
import { en } from "../../dashboard/text/en.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();

describe("a key's state", () => {
  test("a key holds until it expires or is revoked, and a week before its end that is told", () => {
    expect(stateOf({ revoked_at: null, expires_at: null }, NOW)).toBe("good");
    expect(stateOf({ revoked_at: null, expires_at: at(8 * 24) }, NOW)).toBe("good");
    expect(stateOf({ revoked_at: null, expires_at: at(24) }, NOW)).toBe("ends");
    expect(stateOf({ revoked_at: null, expires_at: at(0) }, NOW)).toBe("expired");
    expect(stateOf({ revoked_at: at(-1), expires_at: at(24) }, NOW)).toBe("revoked");
    expect(holds({ revoked_at: null, expires_at: at(1) }, NOW)).toBe(true);
    expect(holds({ revoked_at: at(-1), expires_at: null }, NOW)).toBe(false);
  });

  test("an expiry is never, some days from now, or the end of a day that has not passed", () => {
    expect(expiryOf("never", "", NOW)).toBeNull();
    expect(expiryOf("30", "", NOW)).toBe(at(30 * 24));
    expect(Date.parse(expiryOf("date", "2026-11-25", NOW) ?? "")).toBe(Date.parse("2026-11-25T23:59:59"));
    expect(expiryOf("date", "2026-11-19", NOW)).toBeUndefined();
    expect(expiryOf("date", "", NOW)).toBeUndefined();
    expect(expiryOf("date", "tomorrow", NOW)).toBeUndefined();
  });
});

describe("a key that was just made", () => {
  const KEY = { key: "af_live_abcdef123", name: "Website", kind: "live", scopes: ["upload"] } as const;

  beforeEach(() => keepKey(KEY));

  test("is shown until it is saved, and known to the examples after that", () => {
    expect(madeKey.value).toEqual(KEY);
    markSaved();
    expect(madeKey.value).toBeUndefined();
    expect(freshKey.value).toBe(KEY.key);
  });

  test("is forgotten when it is revoked, and not when another one is", () => {
    forgetKey("af_live_zzzzzz");
    expect(freshKey.value).toBe(KEY.key);
    forgetKey("af_live_abcdef");
    expect(freshKey.value).toBeUndefined();
    expect(madeKey.value).toBeUndefined();
  });

  test("goes with the session", () => {
    freshKey.value = undefined;
    expect(madeKey.value).toBeUndefined();
  });
});

describe("the commands for a terminal", () => {
  const lines = (address: string): string => curlExample({ key: "af_live_x", address, comments: en.keys.curl });

  test("they upload, convert and download by this deployment's address", () => {
    const text = lines("https://files.example.com");
    expect(text).toContain("API='https://files.example.com/api/v1'");
    expect(text).toMatch(/\$API\/upload[\s\S]*\$API\/convert[\s\S]*\$RESULT/);
  });

  test("a shell reads them without a complaint, and nothing in an address can break out of its quotes", () => {
    const text = lines("https://x.example/'; touch /tmp/broken-out; '");
    execFileSync("sh", ["-n"], { input: text });
    const [assignment = ""] = text.split("\n").filter((line) => line.startsWith("API="));
    const said = execFileSync("sh", ["-c", `${assignment}\nprintf %s "$API"`], { encoding: "utf8" });
    expect(said).toBe("https://x.example/'; touch /tmp/broken-out; '/api/v1");
  });
});
