import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { withoutSample } from "../../../docs/test-files.ts";
import { conversions } from "../../../functions/domain/conversions/conversions.ts";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { extensionOf, type FormatId } from "../../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";
import { tiffOf } from "../../engines/support/pictures/tiff.ts";
import { tarOf } from "../../engines/support/raw-archives.ts";

const sources = [...new Set(conversions.map(({ from }) => from))].filter((format) => !withoutSample.includes(format));

test.each(sources)("the sample of %s is detected by its bytes, or by its name where they are ambiguous", (format) => {
  const bytes = readFileSync(join(import.meta.dirname, "../../fixtures", `sample.${extensionOf(format)}`));
  const [head, tail] = [bytes.subarray(0, DETECTION_BYTES), bytes.subarray(-DETECTION_BYTES)];
  expect(detectFormat(head, { tail, filename: `sample.${extensionOf(format)}` })).toBe(format);
});

const ftyp = (major: string, ...compatible: string[]): Buffer => {
  const brands = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join("")}`, "latin1");
  const size = Buffer.alloc(4);
  size.writeUInt32BE(brands.length + 4);
  return Buffer.concat([size, brands, Buffer.alloc(64)]);
};

describe("bytes", () => {
  const cases: readonly [string, FormatId | undefined, Uint8Array | string][] = [
    ["nothing", undefined, ""],
    ["one byte", undefined, Buffer.from([0xff])],
    ["zeros", undefined, Buffer.alloc(4_096)],
    ["text", "txt", "This is a text.\nIt may be called picture.png."],
    ["UTF-8 text truncated within a character", "txt", Buffer.from("naïve").subarray(0, 3)],
    ["UTF-16 text", "txt", Buffer.from("\ufeffA text.", "utf16le")],
    ["a GIF87a", "gif", "GIF87a\u0001\0\u0001\0\0\0\0"],
    ["a RIFF file with neither image nor audio", undefined, Buffer.from("RIFF\u0010\0\0\0PAL data\0", "latin1")],
    ["MIDI in a RIFF file", "mid", Buffer.from("RIFF\u0010\0\0\0RMIDdata\0", "latin1")],
    ["a WebP", "webp", Buffer.from("RIFF\u0010\0\0\0WEBPVP8 \0", "latin1")],
    ["a PDF", "pdf", "%PDF-1.7\n"],
    ["a TIFF in either order", "tiff", Buffer.from("4d4d002a00000008", "hex")],
    ["a BigTIFF", "tiff", Buffer.from("49492b0008000000", "hex")],
    ["an AVIF", "avif", ftyp("avif", "mif1", "miaf")],
    ["an AVIF whose major brand is the generic mif1", "avif", ftyp("mif1", "avif", "miaf")],
    ["a HEIC", "heic", ftyp("heic", "mif1", "heic")],
    ["a HEIC whose major brand is the generic mif1", "heic", ftyp("mif1", "heic")],
    ["a generic mif1 image", "heic", ftyp("mif1", "miaf")],
    ["a HEIC with a video brand", "heic", ftyp("mif1", "iso8", "heic")],
    ["an AVIF sequence", "avif", ftyp("avis", "msf1", "iso8", "mif1")],
    ["a video", "mp4", ftyp("isom", "mp42")],
    ["an ftyp box with a wrong size", "avif", Buffer.from(ftyp("avif")).fill(0xff, 0, 4)],
  ];
  test.each(cases)("%s is %s", (_, format, bytes) => {
    expect(detectFormat(Buffer.from(bytes))).toBe(format);
  });
});

describe("XML", () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"/>`;
  const cases: readonly [string, FormatId, string][] = [
    ["an SVG", "svg", svg],
    ["after spaces and a byte order mark", "svg", `\ufeff \n${svg}`],
    [
      "after a declaration, comment, and processing instruction",
      "svg",
      `<?xml version="1.0"?><!-- <html> --><?go?>${svg}`,
    ],
    ["after a document type declaration", "svg", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">${svg}`],
    ["after entity declarations", "svg", `<!DOCTYPE svg [<!ENTITY a "<html>">]>${svg}`],
    ["with a prefix", "svg", `<s:svg xmlns:s="http://www.w3.org/2000/svg"/>`],
    ["an HTML page with an SVG in it", "html", `<!DOCTYPE html><html>${svg}</html>`],
    ["other XML", "xml", `<?xml version="1.0"?><svgx/>`],
    ["a comment that never ends", "txt", `<!-- ${svg}`],
  ];
  test.each(cases)("%s is %s", (_, format, text) => {
    expect(detectFormat(Buffer.from(text))).toBe(format);
  });
});

describe("camera raw files, which start like a TIFF", () => {
  const size = { width: 8, height: 8 };
  const thumbnail = tiffOf([{ ...size, tags: [[254, 1]] }]);
  const sensor = tiffOf([size, { ...size, tags: [[259, 34_713]] }]);
  const dng = tiffOf([{ ...size, tags: [[50_706, 0x0401]] }]);
  const cases: readonly [string, FormatId | undefined, Uint8Array, string?][] = [
    ["a TIFF", "tiff", tiffOf([size])],
    ["a TIFF, whatever its name", "tiff", tiffOf([size]), "photo.nef"],
    ["a TIFF declared as a full-size image", "tiff", tiffOf([{ ...size, tags: [[254, 0]] }])],
    ["a TIFF whose second page is a thumbnail", "tiff", tiffOf([size, { ...size, tags: [[254, 1]] }])],
    ["a directory that starts with a thumbnail", undefined, thumbnail],
    ["a directory that starts with a thumbnail, named .nef", "nef", thumbnail, "photo.NEF"],
    ["a second directory with a camera's compression", undefined, sensor],
    ["a second directory with a camera's compression, named .pef", "pef", sensor, "photo.pef"],
    ["a DNG", "dng", dng],
    ["a DNG that a phone named .tif", "dng", dng, "photo.tif"],
    ["a CR2", "cr2", Buffer.from("49492a001000000043520200", "hex")],
    ["a directory beyond the head", "tiff", Buffer.from("49492a00ffffffff00000000", "hex")],
    ["a directory that links to itself", "tiff", Buffer.from("49492a00080000000000080000000000", "hex")],
  ];
  test.each(cases)("%s is %s", (_, format, bytes, filename = "") => {
    expect(detectFormat(bytes, { filename })).toBe(format);
  });

  test.each(["nef", "arw", "pef", "srw", "raf", "orf", "rw2"] as const)(
    "%s without a name is detected by the camera maker",
    (format) => {
      const bytes = readFileSync(join(import.meta.dirname, `../../fixtures/sample.${format}`));
      expect(detectFormat(bytes)).toBe(format);
    },
  );
});

describe("images with a short signature or none", () => {
  const cases: readonly [string, FormatId | undefined, Uint8Array | string, string?][] = [
    ["a Targa by its name", "tga", Buffer.from("0000020000000000000000000200020018200102", "hex"), "a.tga"],
    ["a Targa without its name", undefined, Buffer.from("0000020000000000000000000200020018200102", "hex")],
    ["text named .tga", "txt", "A text.", "a.tga"],
    ["an icon with three images", "ico", Buffer.from("000001000300101000000100200068040000", "hex")],
    ["a cursor", "cur", Buffer.from("000002000100202000000100010030010000", "hex")],
    ["zeros that are not an icon", undefined, Buffer.from("000001000000101000000100200068040000", "hex")],
    ["a text bitmap", "pbm", "P1\n2 2\n1 0 0 1\n"],
    ["text that starts with P1", "txt", "P1x is a name."],
    [
      "an X bitmap after a comment",
      "xbm",
      "/* a */\n#define a_width 8\n#define a_height 1\nstatic char a_bits[] = {0};",
    ],
    ["a C program", "txt", "#define width 8\nint main() {}\n"],
    [
      "bytes that start like an SGI image, with 120 bytes per channel",
      undefined,
      Buffer.from("01da7878000300600040000300000000", "hex"),
    ],
  ];
  test.each(cases)("%s is %s", (_, format, bytes, filename = "") => {
    expect(detectFormat(Buffer.from(bytes), { filename })).toBe(format);
  });
});

describe("tars and compressed files", () => {
  /** @returns a tar without the signature introduced in 1988; its checksum is lower by the signature's bytes */
  const oldTar = (): Buffer => {
    const old = Buffer.from(tarOf([{ name: "old", bytes: "x" }]));
    old.fill(0, 257, 265);
    old.fill(" ", 148, 156);
    const sum = old.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    old.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    return old;
  };
  const tar = tarOf([{ name: "GIF89a.txt", bytes: "x" }]);
  const cases: readonly [string, FormatId | undefined, Uint8Array, string][] = [
    ["a tar whose first file is named like a GIF signature", "tar", tar, ""],
    ["a tar from 1979, without a signature", "tar", oldTar(), ""],
    ["a gzipped tar, whatever its name", "tgz", gzipSync(tar), "backup.gz"],
    ["a tar in Zstandard, whatever its name", "tzst", zstdCompressSync(tar), "backup"],
    [
      "a large gzipped tar of which only the head is read",
      "tgz",
      gzipSync(tarOf([{ name: "a", bytes: randomBytes(300_000) }])),
      "",
    ],
    ["an empty gzipped tar, by its name", "tgz", gzipSync(Buffer.alloc(10_240)), "empty.tgz"],
    ["gzipped zeros", "gz", gzipSync(Buffer.alloc(10_240)), "zeros.gz"],
    ["gzipped text", "gz", gzipSync("a text"), "a.txt.gz"],
    ["megabytes of gzipped zeros, of which little is decompressed", "gz", gzipSync(Buffer.alloc(50_000_000)), ""],
    ["a gzip truncated in its header", "gz", gzipSync(tar).subarray(0, 8), ""],
    ["an LZ4 frame", "lz4", Buffer.from("04224d186470b9", "hex"), ""],
    ["a legacy LZ4 frame", "lz4", Buffer.from("02214c1810000000", "hex"), "a.bin"],
    ["a tar in LZ4, by its name", "tlz4", Buffer.from("04224d186470b9", "hex"), "a.tar.lz4"],
    ["Brotli, by its name", "br", brotliCompressSync(randomBytes(999)), "a.csv.br"],
    ["small Brotli that looks like a text, by its name", "br", Buffer.from("!(a"), "a.txt.br"],
    ["a tar in Brotli, by its name", "tbr", brotliCompressSync(tar), "backup.tar.br"],
    ["a PNG named .br", "png", readFileSync(join(import.meta.dirname, "../../fixtures/sample.png")), "a.br"],
    ["Brotli without a name", undefined, brotliCompressSync(randomBytes(999)), ""],
    ["an XZ", "xz", Buffer.from("fd377a585a000004", "hex"), "a.xz"],
    ["a tar in XZ, by its name", "txz", Buffer.from("fd377a585a000004", "hex"), "a.TAR.XZ"],
    ["a tar in bzip2, by its name", "tbz2", Buffer.from("425a683931415926535900", "hex"), "a.tbz2"],
    ["a comic book in a RAR", "cbr", Buffer.from("526172211a07010000", "hex"), "comic.cbr"],
    ["a RAR named .zip", "rar", Buffer.from("526172211a07010000", "hex"), "a.zip"],
  ];
  test.each(cases)("%s is %s", (_, format, bytes, filename) => {
    expect(detectFormat(bytes.subarray(0, DETECTION_BYTES), { filename })).toBe(format);
  });
});
