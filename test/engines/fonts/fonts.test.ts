import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("fonts", scratch);
const bytesOf = (name: string): Buffer => Buffer.from(readFileSync(fixture(name)));

/** @returns a copy of the font with these changes */
const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

describe("a font converted to a container and back", () => {
  test.each(["woff", "eot"] as const)("is byte-for-byte identical: %s", async (wrapping) => {
    const { path } = await convert(sampleOf("ttf"), ["ttf", wrapping]);
    const back = await convert(path, [wrapping, "ttf"]);
    expect(readFileSync(back.path).equals(readFileSync(sampleOf("ttf")))).toBe(true);
  });

  test("keeps unknown tables", async () => {
    const { path } = await convert(sampleOf("ttf"), ["ttf", "woff2"]);
    const { path: back } = await convert(path, ["woff2", "ttf"]);
    expect(readFileSync(back).includes("kept as it is")).toBe(true);
  });
});

describe("outlines", () => {
  test.each([
    ["sample-otf.woff", "woff", "ttf", "otf"],
    ["sample-otf.woff2", "woff2", "ttf", "otf"],
    ["sample-otf.woff", "woff", "eot", "otf"],
    ["sample-otf.ttc", "ttc", "ttf", "otf"],
    ["sample.woff", "woff", "otf", "ttf"],
  ] as const)("of %s are never mislabeled: converting %s to %s suggests %s", async (name, from, to, fits) => {
    const run = convert(fixture(name), [from, to]);
    expect(await codeOf(run)).toBe("unsupported_feature");
    await expect(run).rejects.toThrow(`convert it to ${fits}`);
  });
});

describe("Embedded OpenType", () => {
  const eot = bytesOf("sample.eot");
  const start = eot.length - eot.readUInt32LE(4);

  test("reads XOR-masked fonts", async () => {
    const masked = changed(eot, (copy) => {
      copy.writeUInt32LE(0x1000_0000, 12);
      copy.set(
        copy.subarray(start).map((byte) => byte ^ 0x50),
        start,
      );
    });
    const { path } = await convert(scratch.file(masked), ["eot", "ttf"]);
    expect(readFileSync(path).equals(readFileSync(sampleOf("ttf")))).toBe(true);
  });

  test("rejects compressed fonts as unsupported", async () => {
    const packed = changed(eot, (copy) => copy.writeUInt32LE(4, 12));
    expect(await codeOf(convert(scratch.file(packed), ["eot", "ttf"]))).toBe("unsupported_feature");
  });
});

describe("damaged and hostile fonts", () => {
  const [ttf, woff, woff2, eot, ttc] = ["ttf", "woff", "woff2", "eot", "ttc"].map((end) =>
    bytesOf(`sample.${end}`),
  ) as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const bomb = (): Buffer => {
    const packed = deflateSync(Buffer.alloc(60_000_000));
    const header = Buffer.from(woff.subarray(0, 64));
    header.writeUInt16BE(1, 12);
    header.write("head", 44, "latin1");
    header.writeUInt32BE(64, 48);
    header.writeUInt32BE(packed.length, 52);
    header.writeUInt32BE(60_000_000, 56);
    return Buffer.concat([header, packed]);
  };
  const cases: readonly [string, FormatId, FormatId, () => Buffer, string][] = [
    ["a truncated TTF", "ttf", "woff", () => ttf.subarray(0, -100), "source_corrupt"],
    ["a TTF with only a header", "ttf", "woff", () => ttf.subarray(0, 12), "source_corrupt"],
    ["a TTF without tables", "ttf", "woff", () => changed(ttf, (copy) => copy.writeUInt16BE(0, 4)), "source_corrupt"],
    [
      "a TTF with a table beyond its end",
      "ttf",
      "woff2",
      () => changed(ttf, (copy) => copy.writeUInt32BE(0xffff_fff0, 20)),
      "source_corrupt",
    ],
    ["a TTF with many overlapping tables", "ttf", "woff", () => manyTables(), "output_too_large"],
    ["a truncated WOFF", "woff", "ttf", () => woff.subarray(0, -100), "source_corrupt"],
    [
      "a WOFF with a wrong table length",
      "woff",
      "ttf",
      () => changed(woff, (copy) => copy.writeUInt32BE(copy.readUInt32BE(56) + 9, 56)),
      "source_corrupt",
    ],
    ["a WOFF that unpacks to 60 MB", "woff", "ttf", bomb, "output_too_large"],
    [
      "a WOFF that unpacks to more than declared",
      "woff",
      "ttf",
      () => changed(bomb(), (copy) => copy.writeUInt32BE(1_000_000, 56)),
      "source_corrupt",
    ],
    [
      "a WOFF with a Type 1 font",
      "woff",
      "ttf",
      () => changed(woff, (copy) => copy.write("typ1", 4, "latin1")),
      "unsupported_feature",
    ],
    ["a truncated WOFF2", "woff2", "ttf", () => woff2.subarray(0, -50), "source_corrupt"],
    [
      "a WOFF2 that declares an unpacked size of 4 GB",
      "woff2",
      "ttf",
      () => changed(woff2, (copy) => copy.writeUInt32BE(0xffff_ffff, 16)),
      "output_too_large",
    ],
    ["a WOFF2 with only its first bytes", "woff2", "ttf", () => woff2.subarray(0, 10), "source_corrupt"],
    ["a truncated EOT", "eot", "ttf", () => eot.subarray(0, -100), "source_corrupt"],
    [
      "an EOT whose font is longer than the file",
      "eot",
      "ttf",
      () => changed(eot, (copy) => copy.writeUInt32LE(0xffff_fff0, 4)),
      "source_corrupt",
    ],
    [
      "a collection with four billion fonts",
      "ttc",
      "ttf",
      () => changed(ttc, (copy) => copy.writeUInt32BE(0xffff_ffff, 8)),
      "output_too_large",
    ],
    [
      "a collection without fonts",
      "ttc",
      "ttf",
      () => changed(ttc, (copy) => copy.writeUInt32BE(0, 8)),
      "source_corrupt",
    ],
    ["a truncated collection", "ttc", "ttf", () => ttc.subarray(0, 300), "source_corrupt"],
  ];
  test.each(cases)("%s: %s to %s", async (_, from, to, bytes, code) => {
    expect(await codeOf(convert(scratch.file(bytes()), [from, to]))).toBe(code);
  });

  /** Sixty tables, each covering the same megabyte. */
  const manyTables = (): Buffer => {
    const font = Buffer.alloc(1_000_000);
    ttf.copy(font, 0, 0, 12);
    font.writeUInt16BE(60, 4);
    for (let index = 0; index < 60; index += 1) {
      font.write(index === 0 ? "head" : `T${String(index).padStart(3, "0")}`, 12 + index * 16, "latin1");
      font.writeUInt32BE(font.length, 12 + index * 16 + 12);
    }
    return font;
  };
});

describe("data other than the font", () => {
  test("the metadata of a WOFF is left out with a warning", async () => {
    const described = changed(bytesOf("sample.woff"), (copy) => copy.writeUInt32BE(10, 28));
    expect((await convert(scratch.file(described), ["woff", "ttf"])).codes).toEqual(["metadata_dropped"]);
  });

  test("a signature is left out of a WOFF2 with a warning", async () => {
    const signed = changed(bytesOf("sample.ttf"), (copy) => {
      const at = copy.indexOf("ZZZZ");
      copy.write("DSIG", at, "latin1");
    });
    expect((await convert(scratch.file(signed), ["ttf", "woff2"])).codes).toEqual(["signature_dropped"]);
    expect((await convert(scratch.file(signed), ["ttf", "woff"])).codes).toEqual([]);
  });
});

test("a collection becomes one font per face, named after the face", async () => {
  const { parts } = await convert(sampleOf("ttc"), ["ttc", "ttf"]);
  expect(parts?.map(({ name }) => name)).toEqual(["AnyformSample-Regular", "AnyformSample-Bold"]);
});
