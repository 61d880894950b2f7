import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { RandomBytes } from "../ids.ts";

/**
 * Encrypts secrets of accounts for the database with the operator's key. `about` names the record: a sealed text that is
 * moved to another record does not open.
 */
export interface Sealer {
  seal(text: string, about: string): string;
  /** @throws Error when the text was sealed with another key or for another record, or was changed */
  open(sealed: string, about: string): string;
}

/** Version of the format of sealed texts. */
const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM. With random nonces of 96 bits, a key may seal 2^32 texts (NIST SP 800-38D, 8.3).
 *
 * @param key the operator's secret, of at least 256 random bits
 */
export const sealer = (key: Uint8Array, random: RandomBytes): Sealer => {
  const derived = (): Buffer => {
    if (key.length === 0) {
      throw new Error("This process does not have the secret that encrypts credentials.");
    }
    return createHash("sha256").update("anyform storages\0").update(key).digest();
  };
  return {
    seal: (text, about) => {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", derived(), nonce).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${sealed.toString("base64url")}`;
    },
    open: (sealed, about) => {
      const [version, text = ""] = sealed.split(".");
      const bytes = Buffer.from(text, "base64url");
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) {
        throw new Error("The sealed text has an unknown format.");
      }
      const decipher = createDecipheriv("aes-256-gcm", derived(), bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
};
