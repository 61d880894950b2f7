import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";
import { withTool } from "../support/tools.ts";

/** LZ4 files, in comparison with the program of its authors. */

const scratch = scratchFolder();
const convert = convertingBy("archive", scratch);

const BYTES_MAX = 100_000_000;
const byProgram = (input: Buffer, ...args: string[]): Buffer =>
  execFileSync("lz4", args, { input, maxBuffer: BYTES_MAX, stdio: ["pipe", "pipe", "ignore"] });

const text = Buffer.from(
  Array.from({ length: 40_000 }, (_, row) => `${row};${row * 7_919};line ${row % 97}\n`).join(""),
);
/** Contents with matches across blocks, without any, and shorter than a match. */
const CONTENTS: readonly (readonly [string, Buffer])[] = [
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from("a")],
  ["a short repetition", Buffer.from("abcabcabcabcabcabc")],
  ["random bytes", randomBytes(70_000)],
  ["text, random bytes, zeros and text", Buffer.concat([text, randomBytes(300_000), Buffer.alloc(9_000_000), text])],
];

describe.skipIf(!withTool("lz4"))("lz4", () => {
  describe.each(CONTENTS)("%s", (_, content) => {
    test.each([["-zc1"], ["-zc9"], ["-zc", "-B4", "-BD"], ["-zc", "-B5", "-BX", "--no-frame-crc"], ["-zc", "-l"]])(
      "is unpacked from what the program writes: %s %s %s %s",
      async (...args) => {
        const packed = scratch.file(byProgram(content, ...args.filter((arg) => arg !== undefined)));
        const { path } = await convert(packed, ["lz4", "gz"]);
        expect(execFileSync("gzip", ["-dc", path], { maxBuffer: BYTES_MAX }).equals(content)).toBe(true);
      },
    );

    test("is packed so that the program unpacks it", async () => {
      const { path } = await convert(scratch.file(execFileSync("gzip", ["-c"], { input: content })), ["gz", "lz4"]);
      expect(byProgram(readFileSync(path), "-dc").equals(content)).toBe(true);
    });
  });

  test("unpacks several frames, with a skippable one between them", async () => {
    const skippable = Buffer.concat([Buffer.from("502a4d1805000000", "hex"), Buffer.from("extra")]);
    const frames = [byProgram(Buffer.from("one "), "-zc"), skippable, byProgram(Buffer.from("two"), "-zc", "-l")];
    const { path } = await convert(scratch.file(Buffer.concat(frames)), ["lz4", "gz"]);
    expect(execFileSync("gzip", ["-dc", path], { encoding: "utf8" })).toBe("one two");
  });

  test("packs a text as small as the program does by default", async () => {
    const { path } = await convert(scratch.file(execFileSync("gzip", ["-c"], { input: text })), ["gz", "lz4"]);
    expect(readFileSync(path).length).toBeLessThan(1.1 * byProgram(text, "-zc").length);
  });

  test.each<[string, (packed: Buffer) => Buffer]>([
    ["truncated", (packed) => packed.subarray(0, -20)],
    ["truncated after its header", (packed) => packed.subarray(0, 9)],
    ["changed in its header", (packed) => Buffer.from(packed).fill(0x74, 5, 6)],
    ["changed in its content", (packed) => Buffer.from(packed).fill(0, 500, 501)],
    ["followed by other bytes", (packed) => Buffer.concat([packed, Buffer.alloc(20, 1)])],
  ])("rejects a file that is %s", async (_, change) => {
    const packed = scratch.file(change(byProgram(text, "-zc")));
    expect(await codeOf(convert(packed, ["lz4", "gz"]))).toBe("source_corrupt");
  });

  test("rejects damaged blocks without a checksum, and never writes outside of them", async () => {
    const packed = byProgram(text.subarray(0, 3_000), "-zc", "--no-frame-crc");
    for (let at = 11; at < packed.length - 4; at += 29) {
      const changed = Buffer.from(packed).fill(0xff, at, at + 1);
      const outcome = await convert(scratch.file(changed), ["lz4", "gz"]).catch((error: unknown) => error);
      expect(outcome).toSatisfy((made) => !(made instanceof Error) || "code" in made);
    }
  });
});

describe.skipIf(!withTool("brotli"))("brotli", () => {
  test.each<[string, (packed: Buffer) => Buffer]>([
    ["truncated", (packed) => packed.subarray(0, -20)],
    ["not Brotli", () => Buffer.from("a text without any compression")],
  ])("rejects a file that is %s", async (_, change) => {
    const packed = execFileSync("brotli", ["-c"], { input: text, maxBuffer: BYTES_MAX });
    expect(await codeOf(convert(scratch.file(change(packed)), ["br", "gz"]))).toBe("source_corrupt");
  });
});
