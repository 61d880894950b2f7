/** SHA-256 (FIPS 180-4) of bytes as they pass by: Web Crypto only takes a whole file at once. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** @returns hexadecimal; nothing may be added afterwards */
  digest(): string;
}

const BLOCK_BYTES = 64;
/** The length of the message, in bits, ends the last block. */
const LENGTH_BYTES = 8;

/** @returns the first 32 bits of the fraction of a number */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime !== 0)) {
      found.push(number);
    }
  }
  return found;
};

const ROUND_CONSTANTS = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

export const sha256 = (): Hasher => {
  const state = Int32Array.from(START);
  const block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  let total = 0;
  const update = (bytes: Uint8Array): void => {
    total += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + BLOCK_BYTES - filled);
      block.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled === BLOCK_BYTES) {
        mix(state, block);
        filled = 0;
      }
    }
  };
  const digest = (): string => {
    const bits = new DataView(new ArrayBuffer(LENGTH_BYTES));
    bits.setBigUint64(0, BigInt(total) * 8n);
    const zeros = (2 * BLOCK_BYTES - LENGTH_BYTES - 1 - filled) % BLOCK_BYTES;
    update(Uint8Array.of(0x80, ...new Uint8Array(zeros), ...new Uint8Array(bits.buffer)));
    return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };
  return { update, digest };
};

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

const schedule = new Int32Array(64);

/** The names are those of the standard, 6.2.2. */
const mix = (state: Int32Array, block: Uint8Array): void => {
  const view = new DataView(block.buffer);
  for (let t = 0; t < 16; t += 1) {
    schedule[t] = view.getInt32(t * 4);
  }
  for (let t = 16; t < 64; t += 1) {
    const w15 = schedule[t - 15] ?? 0;
    const w2 = schedule[t - 2] ?? 0;
    const s0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3);
    const s1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10);
    schedule[t] = ((schedule[t - 16] ?? 0) + s0 + (schedule[t - 7] ?? 0) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const t1 =
      (h +
        (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (ROUND_CONSTANTS[t] ?? 0) +
        (schedule[t] ?? 0)) |
      0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = ((state[index] ?? 0) + word) | 0;
  });
};
