import { describe, expect, it } from "vitest";
import { randomPool } from "../../../local/memory/random-pool.ts";

describe("random bytes from a pool", () => {
  it("are each returned once, also across refills and for more than the pool has", () => {
    let next = 0;
    const random = randomPool((bytes) => {
      for (let at = 0; at + 4 <= bytes.length; at += 4) {
        bytes.writeUInt32LE(next, at);
        next += 1;
      }
    });
    const seen = new Set<number>();
    let count = 0;
    for (const length of [...Array.from({ length: 300 }, () => 32), 8_192, 32]) {
      const bytes = Buffer.from(random(length));
      expect(bytes).toHaveLength(length);
      for (let at = 0; at < length; at += 4) {
        seen.add(bytes.readUInt32LE(at));
        count += 1;
      }
    }
    expect(seen.size).toBe(count);
  });

  it("do not change when others are returned", () => {
    const random = randomPool();
    const bytes = random(16);
    const copy = Buffer.from(bytes);
    for (let index = 0; index < 1_000; index += 1) {
      random(16);
    }
    expect(copy.equals(bytes)).toBe(true);
    expect(copy.equals(Buffer.alloc(16))).toBe(false);
  });
});
