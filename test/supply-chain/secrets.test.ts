import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isApiKey, newApiKey } from "../../functions/domain/accounts/keys.ts";

/** Patterns of secrets. Our keys have a checksum, which distinguishes a real one from an example. */
const patterns: Readonly<Record<string, RegExp>> = {
  "an AWS access key": /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  "a private key": /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*[A-Za-z0-9+/=]{40}/g,
  "a GitHub token": /\bgh[pousr]_[A-Za-z0-9]{36}\b/g,
  "an npm token": /\bnpm_[A-Za-z0-9]{36}\b/g,
  "a Stripe key": /\b(?:sk|rk)_live_[A-Za-z0-9]{16,}\b/g,
  "a key of this service": /\baf_(?:live|test)_[0-9A-Za-z]{49}\b/g,
  "a Slack token": /\bxox[abprs]-[A-Za-z0-9-]{10,}\b/g,
};

const secretsIn = (text: string): string[] =>
  Object.entries(patterns).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].flatMap(([found]) => (found.startsWith("af_") && !isApiKey(found) ? [] : [what])),
  );

const BYTES_MAX = 5_000_000;

test("no file of the project contains a secret", () => {
  const names = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);
  expect(names.length).toBeGreaterThan(500);
  const found = names.flatMap((name) => {
    const content = readFileSync(name);
    return content.length > BYTES_MAX ? [] : secretsIn(content.toString("latin1")).map((what) => `${name}: ${what}`);
  });
  expect(found).toEqual([]);
});

test("the patterns detect secrets", () => {
  const letters = randomBytes(64).toString("hex");
  const secrets = [
    `AKIA${letters.slice(0, 16).toUpperCase()}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${letters}`,
    `ghp_${letters.slice(0, 36)}`,
    `sk_live_${letters.slice(0, 24)}`,
    newApiKey(randomBytes),
  ];
  expect(secrets.filter((secret) => secretsIn(`key: ${secret}\n`).length === 0)).toEqual([]);
});
