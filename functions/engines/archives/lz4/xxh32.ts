/** xxHash with 32 bits (github.com/Cyan4973/xxHash, doc/xxhash_spec.md). */

const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const;
const [PRIME_1, PRIME_2, PRIME_3, PRIME_4, PRIME_5] = PRIMES;
const STRIPE_BYTES = 16;

/** A hash of bytes that arrive in pieces, with the seed 0. */
export interface Xxh32 {
  update(bytes: Uint8Array): void;
  /** @returns the hash of all bytes so far, as an unsigned integer */
  digest(): number;
}

export const xxh32 = (): Xxh32 => {
  const lanes = new Int32Array([PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1]);
  const held = Buffer.alloc(STRIPE_BYTES);
  let heldBytes = 0;
  let total = 0;
  return {
    update: (bytes) => {
      total += bytes.length;
      const missing = heldBytes === 0 ? 0 : Math.min(STRIPE_BYTES - heldBytes, bytes.length);
      held.set(bytes.subarray(0, missing), heldBytes);
      heldBytes += missing;
      if (heldBytes === STRIPE_BYTES) {
        consume(lanes, held);
        heldBytes = 0;
      }
      const end = bytes.length - ((bytes.length - missing) % STRIPE_BYTES);
      consume(lanes, bytes.subarray(missing, end));
      if (end < bytes.length) {
        held.set(bytes.subarray(end));
        heldBytes = bytes.length - end;
      }
    },
    digest: () => {
      const [one = 0, two = 0, three = 0, four = 0] = lanes;
      const start =
        total < STRIPE_BYTES ? PRIME_5 : rotated(one, 1) + rotated(two, 7) + rotated(three, 12) + rotated(four, 18);
      return finished((start + total) | 0, held.subarray(0, heldBytes));
    },
  };
};

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** @param bytes complete stripes */
const consume = (lanes: Int32Array, bytes: Uint8Array): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [one = 0, two = 0, three = 0, four = 0] = lanes;
  for (let at = 0; at < bytes.length; at += STRIPE_BYTES) {
    one = round(one, view.getInt32(at, true));
    two = round(two, view.getInt32(at + 4, true));
    three = round(three, view.getInt32(at + 8, true));
    four = round(four, view.getInt32(at + 12, true));
  }
  lanes.set([one, two, three, four]);
};

const round = (lane: number, input: number): number =>
  Math.imul(rotated((lane + Math.imul(input, PRIME_2)) | 0, 13), PRIME_1);

/** @param rest less than a stripe */
const finished = (start: number, rest: Buffer): number => {
  let hash = start;
  let at = 0;
  for (; at + 4 <= rest.length; at += 4) {
    hash = Math.imul(rotated((hash + Math.imul(rest.readInt32LE(at), PRIME_3)) | 0, 17), PRIME_4);
  }
  for (; at < rest.length; at += 1) {
    hash = Math.imul(rotated((hash + Math.imul(rest[at] ?? 0, PRIME_5)) | 0, 11), PRIME_1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
};
