import { sha256 as algorithm } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** SHA-256 (FIPS 180-4) of a stream of bytes. Web Crypto only hashes complete files. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** @returns the hash in hexadecimal; no bytes can be added afterwards */
  digest(): string;
}

export const sha256 = (): Hasher => {
  const hash = algorithm.create();
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    digest: () => bytesToHex(hash.digest()),
  };
};
