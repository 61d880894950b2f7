import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bearerKey, hashApiKey, isApiKey, newApiKey, usableKey } from "../../functions/domain/accounts/keys.ts";

const key = newApiKey(randomBytes);
const stored = { id: "key_1", accountId: "acc_1", name: "", ...hashApiKey(key), createdAt: 0 };
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return "none";
};

describe("API keys", () => {
  it("have 256 random bits and a checksum, after a prefix that secret scanners find", () => {
    expect(key).toMatch(/^af_live_[0-9A-Za-z]{49}$/);
    expect(newApiKey(randomBytes)).not.toBe(key);
    expect(newApiKey(() => new Uint8Array(32))).toMatch(/^af_live_0{43}/);
  });

  it("detect every single-character typo without a lookup", () => {
    for (let index = 0; index < key.length; index += 1) {
      const typo = `${key.slice(0, index)}${key[index] === "x" ? "y" : "x"}${key.slice(index + 1)}`;
      expect(isApiKey(typo)).toBe(false);
    }
    expect(isApiKey(key)).toBe(true);
  });

  it("are stored as their SHA-256 and first characters", () => {
    expect(hashApiKey("af_live_abc").hash).toBe(hashApiKey("af_live_abc").hash);
    expect(stored.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(stored.prefix).toBe(key.slice(0, 14));
    expect(JSON.stringify(stored)).not.toContain(key.slice(14));
  });

  it("are read from the Authorization header, whatever the case of its scheme", () => {
    expect(bearerKey(`Bearer ${key}`)).toBe(key);
    expect(bearerKey(`bearer  ${key} `)).toBe(key);
    expect(codeOf(() => bearerKey(undefined))).toBe("missing_api_key");
    expect(codeOf(() => bearerKey(`Basic ${key}`))).toBe("invalid_api_key");
    expect(codeOf(() => bearerKey(`Bearer ${key.slice(1)}`))).toBe("invalid_api_key");
  });

  it("are valid until they are revoked or expire", () => {
    expect(usableKey({ ...stored, expiresAt: 6 }, 5).id).toBe("key_1");
    expect(codeOf(() => usableKey(undefined, 5))).toBe("invalid_api_key");
    expect(codeOf(() => usableKey({ ...stored, revokedAt: 5 }, 5))).toBe("invalid_api_key");
    expect(codeOf(() => usableKey({ ...stored, expiresAt: 5 }, 5))).toBe("expired_api_key");
  });
});
