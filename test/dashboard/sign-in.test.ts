import { describe, expect, it } from "vitest";
import { afterFirstPlan, afterSignIn, ownPath } from "../../dashboard/next.ts";
import { digitsOf, readCode } from "../../dashboard/pages/sign-in/sent-code.ts";
import { isPasskeyHost } from "../../dashboard/passkeys.ts";

describe("redirects after signing in", () => {
  it.each(["/keys", "/jobs?state=failed&after=abc", "/"])("follow the path of a page: %s", (path) => {
    expect(ownPath(path)).toBe(path);
  });

  it.each([
    null,
    "",
    "keys",
    "https://evil.example/",
    "//evil.example/keys",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    `/${"a".repeat(600)}`,
    "/sign-in",
    "/sign-in?next=/sign-in",
  ])("ignore any other URL: %j", (text) => {
    expect(ownPath(text)).toBeUndefined();
  });

  it("drop a fragment, and keep a URL in the query", () => {
    expect(ownPath("/docs?from=//evil.example#x")).toBe("/docs?from=//evil.example");
  });

  it("lead new accounts to the plans first, then to the requested page", () => {
    expect(afterSignIn(true, undefined)).toBe("/");
    expect(afterSignIn(true, "/jobs")).toBe("/jobs");
    expect(afterSignIn(false, undefined)).toBe("/plans");
    expect(afterSignIn(false, "/jobs?state=failed")).toBe("/plans?next=%2Fjobs%3Fstate%3Dfailed");
    expect(afterSignIn(false, "/plans")).toBe("/plans");
  });

  it("lead from the first plan to the first key, or to the requested page", () => {
    expect(afterFirstPlan(undefined)).toBe("/keys?first=1");
    expect(afterFirstPlan("/keys")).toBe("/keys?first=1");
    expect(afterFirstPlan("/")).toBe("/");
  });
});

describe("a sign-in code", () => {
  it.each([
    ["123456", "123456"],
    ["123 456", "123456"],
    [" 12-34-56.\n", "123456"],
    ["Your code: 123456", "123456"],
    ["1234567", "123456"],
    ["12345", "12345"],
    ["abc", ""],
  ])("is extracted from typed or pasted text: %j", (text, digits) => {
    expect(digitsOf(text)).toBe(digits);
  });

  const sent = { challenge_id: "cha_1", email: "a@example.com", expires_at: "2026-11-22T00:10:00.000Z" };
  const now = Date.parse("2026-11-22T00:05:00.000Z");

  it("can be entered after a reload until it expires", () => {
    expect(readCode(JSON.stringify(sent), now)).toEqual(sent);
    expect(readCode(JSON.stringify(sent), Date.parse(sent.expires_at))).toBeUndefined();
  });

  it.each([null, "", "no JSON", "null", "[]", "{}", '{"challenge_id":1}', '{"expires_at":"never"}'])(
    "is not restored from invalid stored data: %j",
    (text) => {
      expect(readCode(text, now)).toBeUndefined();
    },
  );
});

describe("passkeys", () => {
  it("are available on domain names, never on IP addresses", () => {
    expect(["localhost", "files.example.com", "1password.example"].map(isPasskeyHost)).toEqual([true, true, true]);
    expect(["127.0.0.1", "10.0.0.12", "[::1]"].map(isPasskeyHost)).toEqual([false, false, false]);
  });
});
