import { crc32 } from "node:zlib";
import { RequestError } from "./errors.ts";
import { base62, type RandomBytes, sha256Hex } from "./ids.ts";

/** What a key may be made for: `upload` files, `convert` them (and cancel and erase jobs), `read` jobs and the account, `download` results, manage `webhooks`. */
export const scopes = ["upload", "convert", "read", "download", "webhooks"] as const;

export type Scope = (typeof scopes)[number];

/** An API key as it is stored: never the key itself. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the whole key, hexadecimal. */
  readonly hash: string;
  /** The first characters of the key, to tell it by in a list. */
  readonly prefix: string;
  readonly name: string;
  /** What the key may do. @default everything */
  readonly scopes?: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** A key as it is shown in a list. */
export interface ShownKey extends ApiKey {
  /** When it was used last, to the minute; undefined: never. */
  readonly lastUsedAt?: number;
}

const KEY_PATTERN = /^af_(?:live|test)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const PREFIX_CHARACTERS = "af_live_".length + 6;

/** @returns a new API key: `af_live_` or `af_test_`, 256 random bits in base 62, and the CRC-32 of all before it in base 62 */
export const newApiKey = (random: RandomBytes, kind: "live" | "test" = "live"): string => {
  const body = `af_${kind}_${base62(random(32))}`;
  return body + checksum(body);
};

/** @returns whether the text has the form and the checksum of one of our keys: a typo is told without a look-up */
export const isApiKey = (text: string): boolean => {
  const match = KEY_PATTERN.exec(text);
  return match !== null && match[2] === checksum(text.slice(0, -6));
};

/** A test key converts for real, but is not metered, and knows names of files that force each failure. */
export const isTestKey = ({ prefix }: Pick<ApiKey, "prefix">): boolean => prefix.startsWith("af_test_");

/** @returns what the table holds of a key */
export const hashApiKey = (key: string): { hash: string; prefix: string } => ({
  hash: sha256Hex(key),
  prefix: key.slice(0, PREFIX_CHARACTERS),
});

/**
 * @returns the key of an `Authorization: Bearer …` header
 * @throws RequestError `missing_api_key` or `invalid_api_key`
 */
export const bearerKey = (authorization: string | undefined): string => {
  if (authorization === undefined || authorization.trim() === "") {
    throw new RequestError("missing_api_key", "Send the header `Authorization: Bearer <API_KEY>`.");
  }
  const match = /^bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1] === undefined || !isApiKey(match[1])) {
    throw new RequestError("invalid_api_key", "The Authorization header does not hold an API key of this service.");
  }
  return match[1];
};

/**
 * @returns the key, when it may be used now
 * @throws RequestError `invalid_api_key` for an unknown or revoked key, `expired_api_key` for an expired one
 */
export const usableKey = (key: ApiKey | undefined, now: number): ApiKey => {
  if (key === undefined || (key.revokedAt !== undefined && key.revokedAt <= now)) {
    throw new RequestError("invalid_api_key", "This API key is unknown or has been revoked.");
  }
  if (key.expiresAt !== undefined && key.expiresAt <= now) {
    throw new RequestError("expired_api_key", `This API key expired at ${new Date(key.expiresAt).toISOString()}.`);
  }
  return key;
};

/** @returns whether the key is neither revoked nor expired */
export const isHolding = ({ revokedAt, expiresAt }: Pick<ApiKey, "expiresAt" | "revokedAt">, now: number): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt > now);

/** @throws RequestError `forbidden_scope` when the key was not made for it */
export const checkScope = ({ scopes: own }: Pick<ApiKey, "scopes">, scope: Scope): void => {
  if (own !== undefined && !own.includes(scope)) {
    throw new RequestError("forbidden_scope", `This API key may ${own.join(", ")}; this operation needs ${scope}.`);
  }
};

const checksum = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes);
};
