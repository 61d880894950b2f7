import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

/** The permission to PUT a complete file, or one part of a transfer. */
export interface PutGrant {
  readonly key: string;
  readonly bytes: number;
  /** Expected hash of the bytes; empty if it is not checked. */
  readonly sha256: string;
  /** Both empty for a complete file. */
  readonly transfer: string;
  readonly part: string;
  readonly expiresAt: number;
}

export interface PutSigner {
  /** @returns the path and query of a URL that accepts the bytes until the grant expires */
  sign(grant: PutGrant): string;
  /** @returns the grant of the path and query; `invalid` if the signature does not match */
  open(url: string, now: number): PutGrant | "invalid" | "expired";
}

const PREFIX = "/files/";
const FIELDS = ["bytes", "sha256", "transfer", "part", "expires"] as const;

/**
 * Signs all parts of the URL with HMAC-SHA-256. The signed data starts with `put`, so that a download URL cannot be
 * used to upload.
 */
export const putSigner = (secret: Buffer): PutSigner => {
  const signing = createSecretKey(secret);
  const signatureOf = (parts: readonly string[]): Buffer =>
    createHmac("sha256", signing)
      .update(JSON.stringify(["put", ...parts]))
      .digest();
  return {
    sign: ({ key, bytes, sha256, transfer, part, expiresAt }) => {
      const values = [String(bytes), sha256, transfer, part, String(expiresAt)];
      const query = new URLSearchParams(Object.fromEntries(FIELDS.map((name, index) => [name, values[index] ?? ""])));
      query.set("signature", signatureOf([key, ...values]).toString("base64url"));
      return `${PREFIX}${key}?${query}`;
    },
    open: (url, now) => {
      const [path = "", text = ""] = url.split("?", 2);
      const query = new URLSearchParams(text);
      const key = path.slice(PREFIX.length);
      const values = FIELDS.map((name) => query.get(name) ?? "");
      const expected = signatureOf([key, ...values]);
      const given = Buffer.from(query.get("signature") ?? "", "base64url");
      if (!path.startsWith(PREFIX) || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        return "invalid";
      }
      const [bytes, sha256 = "", transfer = "", part = "", expires] = values;
      const expiresAt = Number(expires);
      return expiresAt <= now ? "expired" : { key, bytes: Number(bytes), sha256, transfer, part, expiresAt };
    },
  };
};
