import { crc32 } from "node:zlib";
import { RequestError } from "../errors.ts";
import { base62, type RandomBytes, sha256Hex } from "../ids.ts";
import { ORIGIN_CHARACTERS_MAX } from "./account-limits.ts";

/**
 * The scopes of keys: `upload` files, `convert` them (and cancel and delete jobs), `read` jobs and the account,
 * `download` results, manage `webhooks`, manage `storages`.
 */
export const scopes = ["upload", "convert", "read", "download", "webhooks", "storages"] as const;

export type Scope = (typeof scopes)[number];

/** A stored API key, without the key itself. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the complete key, hexadecimal. */
  readonly hash: string;
  /** The first characters of the key, to identify it in a list. */
  readonly prefix: string;
  readonly name: string;
  /** The scopes of the key. @default everything */
  readonly scopes?: readonly Scope[];
  /** Requests per UTC month, within the quota of the account. @default only the quota applies */
  readonly monthlyLimit?: number;
  /** The key that its requests are counted for, so that a rotation does not reset the count. @default its own ID */
  readonly countedAs?: string;
  /** Origins of web pages that may use the key. @default all */
  readonly origins?: readonly string[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** A key in a list. */
export interface ShownKey extends ApiKey {
  /** The last use, to the minute; undefined: never. */
  readonly lastUsedAt?: number;
  /** Requests counted this month; only with a limit. */
  readonly used?: number;
}

/** What limits a key, other than its scopes. */
export type KeyLimits = Pick<ApiKey, "monthlyLimit" | "origins">;

/** The limit of a key, and where its requests are counted. */
export interface KeyLimit {
  /** ID of the key that the requests are counted for. */
  readonly id: string;
  readonly limit: number;
}

/** @returns the limit of the key; undefined without one, and for test keys, which are not metered */
export const keyLimitOf = (key: Pick<ApiKey, "countedAs" | "id" | "monthlyLimit" | "prefix">): KeyLimit | undefined =>
  key.monthlyLimit === undefined || isTestKey(key)
    ? undefined
    : { id: key.countedAs ?? key.id, limit: key.monthlyLimit };

const KEY_PATTERN = /^af_(?:live|test)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const PREFIX_CHARACTERS = "af_live_".length + 6;

/**
 * @returns a new API key: `af_live_` or `af_test_`, 256 random bits in base 62, and the CRC-32 of all before it in base
 * 62
 */
export const newApiKey = (random: RandomBytes, kind: "live" | "test" = "live"): string => {
  const body = `af_${kind}_${base62(random(32))}`;
  return body + checksum(body);
};

/** @returns whether the text has the format and checksum of an API key: typos are detected without a lookup */
export const isApiKey = (text: string): boolean => {
  const match = KEY_PATTERN.exec(text);
  return match !== null && match[2] === checksum(text.slice(0, -6));
};

/** A test key converts real files, but is not metered, and simulates errors by filename. */
export const isTestKey = ({ prefix }: Pick<ApiKey, "prefix">): boolean => prefix.startsWith("af_test_");

/** @returns the stored fields of a key */
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
    throw new RequestError("missing_api_key", "Send your API key in the header `Authorization: Bearer <API_KEY>`.");
  }
  const match = /^bearer +(\S+) *$/i.exec(authorization);
  if (match?.[1] === undefined || !isApiKey(match[1])) {
    throw new RequestError("invalid_api_key", "The Authorization header does not contain a valid API key.");
  }
  return match[1];
};

/**
 * @returns the key, if it is valid now
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

/** @throws RequestError `forbidden_scope` when the key lacks the scope */
export const checkScope = ({ scopes: own }: Pick<ApiKey, "scopes">, scope: Scope): void => {
  if (own !== undefined && !own.includes(scope)) {
    const detail = `This operation requires the scope \`${scope}\`. The API key has: ${own.join(", ")}.`;
    throw new RequestError("forbidden_scope", detail);
  }
};

/**
 * Browsers send the `Origin` of the page with every request to another origin, and pages cannot change it.
 *
 * @throws RequestError `forbidden_origin` when the key has a list of origins without this one
 */
export const checkOrigin = ({ origins }: Pick<ApiKey, "origins">, origin: string | undefined): void => {
  if (origins !== undefined && origin !== undefined && !origins.includes(origin)) {
    const detail = `This API key cannot be used by pages of ${origin.slice(0, ORIGIN_CHARACTERS_MAX)}. Allowed: ${origins.join(", ")}.`;
    throw new RequestError("forbidden_origin", detail);
  }
};

const checksum = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes);
};
