import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, deflateRawSync, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { codeOf } from "../support/convert.ts";
import { tarHolds, zipHolds } from "../support/entries.ts";
import { SINGLE_BYTES } from "../support/file-tree.ts";
import { sampleOf } from "../support/fixtures.ts";
import { tarOf, zipOf } from "../support/raw-archives.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";
import { withTool } from "../support/tools.ts";

const scratch = scratchFolder();
const convert = convertingBy("archive", scratch);

describe("bombs", () => {
  const zeros = Buffer.alloc(120_000_000);
  const bombs: readonly [FormatId, FormatId, () => Buffer][] = [
    ["zip", "tar", () => zipOf([{ name: "zeros", bytes: zeros }])],
    ["tgz", "zip", () => gzipSync(tarOf([{ name: "zeros", bytes: zeros }]))],
    ["tzst", "tar", () => zstdCompressSync(tarOf([{ name: "zeros", bytes: zeros }]))],
    ["gz", "zip", () => gzipSync(zeros)],
    ["gz", "zst", () => gzipSync(zeros)],
  ];
  test.each(bombs)(
    "a %s that unpacks to hundreds of times its size is rejected when converting to %s",
    async (from, to, make) => {
      expect(await codeOf(convert(scratch.file(make()), [from, to]))).toBe("archive_unsafe");
    },
  );

  test("overlapping files are counted each time", async () => {
    const bytes = Buffer.alloc(3_000_000);
    const one = zipOf([{ name: "f", bytes }]);
    const start = one.lastIndexOf("PK\x01\x02");
    const record = one.subarray(start, -22);
    const end = Buffer.from(one.subarray(-22));
    end.writeUInt16LE(60, 8);
    end.writeUInt16LE(60, 10);
    end.writeUInt32LE(60 * record.length, 12);
    const overlapping = Buffer.concat([one.subarray(0, start), ...Array.from({ length: 60 }, () => record), end]);
    expect(await codeOf(convert(scratch.file(overlapping), ["zip", "tar"]))).toBe("archive_unsafe");
  });

  test("rejects 50,001 entries and accepts 50,000", async () => {
    const members = Array.from({ length: 50_001 }, (_, index) => ({ name: `${index}` }));
    expect(await codeOf(convert(scratch.file(zipOf(members)), ["zip", "tar"]))).toBe("archive_unsafe");
    expect(await codeOf(convert(scratch.file(tarOf(members)), ["tar", "zip"]))).toBe("archive_unsafe");
    const { path } = await convert(scratch.file(tarOf(members.slice(1))), ["tar", "zip"]);
    expect(statSync(path).size).toBeGreaterThan(50_000 * 76);
  });
});

describe("damage", () => {
  const tar = tarOf([{ name: "a", bytes: "x".repeat(2_000) }]);
  const cases: readonly [string, FormatId, () => Buffer, string][] = [
    ["a zip with a wrong checksum", "zip", () => zipOf([{ name: "a", bytes: "x", crc: 1 }]), "source_corrupt"],
    [
      "a zip whose member is longer than declared",
      "zip",
      () => zipOf([{ name: "a", bytes: "xyz", size: 1 }]),
      "source_corrupt",
    ],
    [
      "a zip whose member is shorter than declared",
      "zip",
      () => zipOf([{ name: "a", bytes: "x", size: 9 }]),
      "source_corrupt",
    ],
    [
      "a zip without its end record",
      "zip",
      () => zipOf([{ name: "a", bytes: "xyz" }]).subarray(0, -30),
      "source_corrupt",
    ],
    ["a tar truncated within a file", "tar", () => tar.subarray(0, 1_500), "source_corrupt"],
    [
      "a tar truncated within a header",
      "tar",
      () => Buffer.concat([tar.subarray(0, 2_560), tar.subarray(0, 99)]),
      "source_corrupt",
    ],
    [
      "a tar with an invalid header",
      "tar",
      () => Buffer.concat([tar.subarray(0, 2_560), Buffer.alloc(512, 7)]),
      "source_corrupt",
    ],
    ["a text named as a tar", "tar", () => Buffer.alloc(2_000, "text "), "source_mismatch"],
    ["a compressed text named as a tar", "tgz", () => gzipSync(Buffer.alloc(2_000, "text ")), "source_mismatch"],
    ["a truncated tar.gz", "tgz", () => gzipSync(tar).subarray(0, -12), "source_corrupt"],
    [
      "a tar.gz with a wrong checksum",
      "tgz",
      () => Buffer.concat([gzipSync(tar).subarray(0, -8), Buffer.alloc(8)]),
      "source_corrupt",
    ],
    ["a truncated tar.zst", "tzst", () => zstdCompressSync(tar).subarray(0, -3), "source_corrupt"],
    [
      "a tar.zst with trailing bytes",
      "tzst",
      () => Buffer.concat([zstdCompressSync(tar), Buffer.alloc(20, 1)]),
      "source_corrupt",
    ],
  ];
  test.each(cases)("rejects %s", async (_, from, bytes, code) => {
    expect(await codeOf(convert(scratch.file(bytes()), [from, from === "tar" ? "zip" : "tar"]))).toBe(code);
  });

  test("ignores bytes after the end of a tar, as other programs do", async () => {
    const input = scratch.file(Buffer.concat([tar, Buffer.alloc(3_000, 1)]));
    expect(Object.keys(await zipHolds((await convert(input, ["tar", "zip"])).path))).toEqual(["a"]);
  });
});

describe("tar variants", () => {
  const longName = `${"long/".repeat(40)}ü.txt`;
  const pax = (records: Record<string, string>) =>
    Object.entries(records)
      .map(([key, value]) => {
        const rest = ` ${key}=${value}\n`;
        const length = Buffer.byteLength(rest) + 2;
        return `${length + (length > 99 ? 1 : 0)}${rest}`;
      })
      .join("");

  test("pax and GNU names that exceed a header", async () => {
    const input = scratch.file(
      tarOf([
        { name: "PaxHeader", type: "x", bytes: pax({ path: longName }) },
        { name: "cut", bytes: "1" },
        { name: "././@LongLink", type: "L", bytes: `gnu-${longName}\0` },
        { name: "cut", bytes: "2" },
      ]),
    );
    const { path } = await convert(input, ["tar", "tgz"]);
    expect(await tarHolds(path, true)).toEqual({ [longName]: "file: 1", [`gnu-${longName}`]: "file: 2" });
  });

  test("V7 (1979), without a magic number", async () => {
    const tar = Buffer.from(tarOf([{ name: "old", bytes: "1" }]));
    tar.fill(0, 257, 265);
    const sum = tar.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
    tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    expect(await zipHolds((await convert(scratch.file(tar), ["tar", "zip"])).path)).toEqual({ old: "1" });
  });

  test.each([
    ["GNU sparse", tarOf([{ name: "holes", type: "S", bytes: "1" }])],
    [
      "pax",
      tarOf([
        { name: "x", type: "x", bytes: pax({ "GNU.sparse.major": "1" }) },
        { name: "holes", bytes: "1" },
      ]),
    ],
  ])("sparse files as %s are rejected, since their bytes are not the content", async (_, tar) => {
    expect(await codeOf(convert(scratch.file(tar), ["tar", "zip"]))).toBe("unsupported_feature");
  });

  test("dates before 1970 and after 2107 are preserved", async () => {
    const times = ["-100000000", "5000000000.5"];
    const members = times.flatMap((mtime, index) => [
      { name: "PaxHeader", type: "x", bytes: pax({ mtime }) },
      { name: `${index}`, bytes: "1" },
    ]);
    const { path } = await convert(scratch.file(tarOf(members)), ["tar", "tgz"]);
    const bytes = gunzipSync(readFileSync(path)).toString("latin1");
    for (const time of times) {
      expect(bytes).toContain(`mtime=${time}\n`);
    }
    const { path: zip } = await convert(scratch.file(tarOf(members)), ["tar", "zip"]);
    expect(await zipHolds(zip)).toEqual({ 0: "1", 1: "1" });
  });
});

describe("empty archives", () => {
  test.each([
    ["zip", "tgz", () => zipOf([])],
    ["tar", "zip", () => tarOf([])],
    ["tgz", "zip", () => gzipSync(tarOf([]))],
  ] as const)("a %s without entries becomes a %s without entries", async (from, to, make) => {
    const { path } = await convert(scratch.file(make()), [from, to]);
    expect(to === "zip" ? await zipHolds(path) : await tarHolds(path, true)).toEqual({});
  });
});

describe("zips that Node cannot unpack", () => {
  const made = (...args: string[]): string => {
    const folder = mkdtempSync(join(scratch.folder, "made-"));
    mkdirSync(join(folder, "ordner"));
    writeFileSync(join(folder, "ordner/größe.txt"), SINGLE_BYTES);
    writeFileSync(join(folder, "leer.txt"), "");
    execFileSync("7zz", ["a", "-tzip", ...args, "made.zip", "ordner", "leer.txt"], { cwd: folder });
    return join(folder, "made.zip");
  };
  const holds = { "leer.txt": "", "ordner/": undefined, "ordner/größe.txt": SINGLE_BYTES.toString() };
  const text = async (path: string) =>
    Object.fromEntries(
      Object.entries(await tarHolds(path)).map(([name, value]) => [name, value.replace(/^\w+: /, "")]),
    );

  test.skipIf(!withTool("7zz")).each(["Deflate64", "BZip2", "LZMA", "PPMd", "Zstd"])(
    "are unpacked by 7-Zip: %s",
    async (method) => {
      const input = method === "Zstd" ? scratch.file(zstdZip()) : made(`-mm=${method}`);
      const { path } = await convert(input, ["zip", "tar"]);
      expect(await text(path)).toEqual(
        method === "Zstd" ? { a: SINGLE_BYTES.toString() } : { ...holds, "ordner/": "" },
      );
    },
  );

  test.skipIf(!withTool("7zz")).each(["ZipCrypto", "AES256"])("open with the correct password: %s", async (method) => {
    const input = made("-pgeheim 1", `-mem=${method}`);
    const { path } = await convert(input, ["zip", "tar"], { password: "geheim 1" });
    expect(await text(path)).toEqual({ ...holds, "ordner/": "" });
    expect(await codeOf(convert(input, ["zip", "tar"]))).toBe("password_required");
    expect(await codeOf(convert(input, ["zip", "tar"], { password: "wrong" }))).toBe("password_required");
  });
});

/** A zip with a Zstandard member, which 7zz cannot write. */
const zstdZip = (): Buffer => {
  const packed = zstdCompressSync(SINGLE_BYTES);
  const zip = zipOf([{ name: "a", bytes: SINGLE_BYTES }]);
  const deflated = deflateRawSync(SINGLE_BYTES).length;
  const local = Buffer.from(zip.subarray(0, 31));
  const rest = Buffer.from(zip.subarray(31 + deflated));
  local.writeUInt16LE(93, 8);
  local.writeUInt32LE(packed.length, 18);
  rest.writeUInt16LE(93, 10);
  rest.writeUInt32LE(packed.length, 20);
  rest.writeUInt32LE(31 + packed.length, rest.length - 6);
  return Buffer.concat([local, packed, rest]);
};

describe("compressed files", () => {
  test("become a zip with the name and the time from their header", async () => {
    const named = Buffer.from(gzipSync("text"));
    named[3] = 8;
    const input = scratch.file(
      Buffer.concat([named.subarray(0, 10), Buffer.from("../ein text.md\0"), named.subarray(10)]),
    );
    expect(await zipHolds((await convert(input, ["gz", "zip"])).path)).toEqual({ "ein text.md": "text" });
  });

  test("without a name are named after their detected format", async () => {
    const input = scratch.file(gzipSync(readFileSync(sampleOf("png"))));
    expect(Object.keys(await zipHolds((await convert(input, ["gz", "zip"])).path))).toEqual(["file.png"]);
  });

  test("with several members are unpacked completely", async () => {
    const gz = scratch.file(Buffer.concat([gzipSync("one "), gzipSync("two")]));
    expect(zstdDecompressSync(readFileSync((await convert(gz, ["gz", "zst"])).path)).toString()).toBe("one two");
    const skipped = Buffer.concat([Buffer.from("502a4d18", "hex"), Buffer.from([3, 0, 0, 0]), Buffer.from("abc")]);
    const frames = [
      zstdCompressSync("one "),
      skipped,
      zstdCompressSync(Buffer.alloc(300_000)),
      zstdCompressSync("two"),
    ];
    const zst = scratch.file(Buffer.concat(frames));
    const plain = gunzipSync(readFileSync((await convert(zst, ["zst", "gz"])).path));
    expect(plain.equals(Buffer.concat([Buffer.from("one "), Buffer.alloc(300_000), Buffer.from("two")]))).toBe(true);
  });

  test("with a window that is too large are rejected as unsupported", async () => {
    const params = { [constants.ZSTD_c_windowLog]: 30, [constants.ZSTD_c_contentSizeFlag]: 0 };
    const far = zstdCompressSync(Buffer.alloc(1_000), { params });
    // The descriptor has no single-segment flag; the window is the next byte.
    far[4] = (far[4] ?? 0) & ~0x20;
    far[5] = 20 << 3;
    expect(await codeOf(convert(scratch.file(far), ["zst", "gz"]))).toBe("unsupported_feature");
  });
});

test.each(["zip", "tgz", "tzst"] as const)("level 9 makes a smaller %s than level 1", async (to) => {
  const text = Array.from({ length: 30_000 }, (_, index) => `${index * 7_919} line ${index % 97}\n`).join("");
  const input = scratch.file(tarOf([{ name: "text", bytes: text }]));
  const [fast, small] = [
    await convert(input, ["tar", to], { level: 1 }),
    await convert(input, ["tar", to], { level: 9 }),
  ];
  expect(statSync(small.path).size).toBeLessThan(0.95 * statSync(fast.path).size);
});
