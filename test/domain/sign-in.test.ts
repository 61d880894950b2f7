import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { deviceOf } from "../../functions/domain/sessions/devices.ts";
import { newSession } from "../../functions/domain/sessions/session-tokens.ts";
import { codeChallenge, isRightCode, newCode } from "../../functions/domain/sessions/sign-in-codes.ts";
import { SIGNING_KEY_HOLD_MS } from "../../functions/domain/sessions/sign-in-limits.ts";
import { locales, signInMail } from "../../functions/domain/sessions/sign-in-mail.ts";
import { newSigningKey, signatureOf } from "../../functions/domain/sessions/signing-keys.ts";
import { NOW } from "../support/world/records.ts";

describe("a code", () => {
  test("has six digits, and every digit is equally likely", () => {
    expect(newCode((count) => new Uint8Array(count))).toBe("000000");
    const counts = new Map<string, number>();
    for (let drawn = 0; drawn < 20_000; drawn += 1) {
      const code = newCode(randomBytes);
      expect(code).toMatch(/^\d{6}$/);
      for (const digit of code) {
        counts.set(digit, (counts.get(digit) ?? 0) + 1);
      }
    }
    // 12,000 of each, give or take 104 (one standard deviation); seven of them are 1 in 4 × 10^11.
    for (const count of counts.values()) {
      expect(Math.abs(count - 12_000)).toBeLessThan(7 * 104);
    }
  });

  test("is stored as a hash that requires the signing key and is bound to its challenge", () => {
    const key = newSigningKey(NOW, randomBytes);
    const challenge = codeChallenge({ email: "ada@example.com", code: "123456", key }, NOW, randomBytes);
    const at = { keys: [key], now: NOW };
    expect(challenge.answer).not.toContain("123456");
    expect(isRightCode(challenge, "123456", at)).toBe(true);
    expect(isRightCode(challenge, "123457", at)).toBe(false);
    expect(isRightCode({ ...challenge, id: "cha_other" }, "123456", at)).toBe(false);
    expect(isRightCode(challenge, "123456", { keys: [newSigningKey(NOW, randomBytes)], now: NOW })).toBe(false);
    expect(isRightCode(challenge, "123456", { keys: [key], now: NOW + SIGNING_KEY_HOLD_MS })).toBe(false);
    expect(isRightCode({ ...challenge, answer: "" }, "123456", at)).toBe(false);
  });
});

test("a signature for a code is not valid for a session", () => {
  const key = newSigningKey(NOW, randomBytes);
  expect(signatureOf(key, "code", "a")).not.toBe(signatureOf(key, "session", "a"));
});

test("a session token has 256 random bits, and the record stores only its hash", () => {
  const key = newSigningKey(NOW, randomBytes);
  const made = () => newSession({ accountId: "acc_1", by: "code", device: "" }, key, { now: NOW, random: randomBytes });
  const [one, other] = [made(), made()];
  expect(one.cookie).not.toBe(other.cookie);
  const [token = ""] = one.cookie.split(".");
  expect(token).toHaveLength(43);
  expect(JSON.stringify(one.session)).not.toContain(token);
});

test.each(locales)("the message in %s has the code in its subject and on a separate line, and no links", (locale) => {
  const { subject, text, summary } = signInMail("ada@example.com", "012345", locale);
  expect(subject).toContain("012345");
  expect(subject).not.toMatch(/[\r\n]/);
  expect(text).toMatch(/^ {4}012345$/m);
  expect(text).not.toMatch(/https?:|www\./);
  expect(summary).toBe("Sign-in code for ada@example.com: 012345");
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "Chrome on Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPad",
  ],
  ["curl/8.14.1", "curl"],
  ["<script>alert(1)</script>", "A browser"],
  [undefined, "A browser"],
])("%s is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
