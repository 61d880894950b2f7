import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Delivery } from "../../functions/domain/file-ports.ts";

/** The file of a signed URL. */
export interface SignedFile {
  readonly key: string;
  readonly filename: string;
  readonly mediaType: string;
}

export interface UrlSigner {
  /** @returns the path and query of a URL that serves the file until the delivery expires */
  sign(key: string, delivery: Delivery): string;
  /** @returns the file of the path and query; `invalid` if the signature does not match */
  open(url: string, now: number): SignedFile | "invalid" | "expired";
}

const PREFIX = "/files/";

/** Signs all parts of the URL with HMAC-SHA-256, so that none of them can be changed. */
export const urlSigner = (secret: Buffer): UrlSigner => signerWith(createSecretKey(secret));

const signerWith = (secret: KeyObject): UrlSigner => ({
  sign: (key, delivery) => {
    const filename = delivery.filename.toWellFormed();
    const [expires, type] = [String(delivery.expiresAt), delivery.mediaType];
    const signature = signatureOf(secret, [key, expires, filename, type]).toString("base64url");
    return `${PREFIX}${key}?${new URLSearchParams({ expires, filename, type, signature })}`;
  },
  open: (url, now) => {
    const [path = "", query = ""] = url.split("?", 2);
    const parameters = new URLSearchParams(query);
    const partOf = (name: string): string => parameters.get(name) ?? "";
    const [expires, filename, mediaType] = [partOf("expires"), partOf("filename"), partOf("type")];
    const key = path.slice(PREFIX.length);
    const given = Buffer.from(partOf("signature"), "base64url");
    const expected = signatureOf(secret, [key, expires, filename, mediaType]);
    if (!path.startsWith(PREFIX) || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return "invalid";
    }
    return Number(expires) <= now ? "expired" : { key, filename, mediaType };
  },
});

/** A JSON list separates the parts unambiguously. */
const signatureOf = (secret: KeyObject, parts: readonly string[]): Buffer =>
  createHmac("sha256", secret).update(JSON.stringify(parts)).digest();
