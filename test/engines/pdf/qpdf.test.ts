import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { PDFDict, PDFDocument, PDFName, PDFNumber, PDFRawStream } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { engines } from "../../../functions/engines/index.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, taskOf } from "../support/task.ts";
import { distance } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBy("qpdf", scratch);
const change = async (input: string, options: Options) => {
  const made = await convert(input, ["pdf", "pdf"], options);
  checkByQpdf(made.path, options.user_password);
  return made;
};

const numbered = (count: number): string =>
  scratch.file(
    typeset(Array.from({ length: count }, (_, index) => `= Page number ${index + 1}`).join("\n#pagebreak()\n")),
  );

const rotationsOf = async (path: string): Promise<number[]> =>
  (await PDFDocument.load(readFileSync(path))).getPages().map((page) => page.getRotation().angle);

const info = (path: string, ...options: readonly string[]): string =>
  execFileSync("pdfinfo", [...options, path], { encoding: "utf8" });

describe("pages", () => {
  test("are rotated clockwise, all or some, after others were left out; bookmarks stay", async () => {
    const source = numbered(5);
    expect(await rotationsOf((await change(source, { rotate: 90 })).path)).toEqual([90, 90, 90, 90, 90]);
    const some = await change(source, { pages: "2-", rotate: 270, rotate_pages: "2,4-9" });
    expect(await rotationsOf(some.path)).toEqual([0, 270, 0, 270]);
    expect((await viewPdf(some.path)).map(({ text }) => /number (\d)/.exec(text)?.[1])).toEqual(["2", "3", "4", "5"]);
    expect((await PDFDocument.load(readFileSync(some.path))).catalog.has(PDFName.of("Outlines"))).toBe(true);
    expect(some.codes).toEqual([]);
  });

  test("are reordered and left out by `pages`", async () => {
    const { path } = await change(numbered(4), { pages: "4,1-2", linearize: true });
    expect((await viewPdf(path)).map(({ text }) => /number (\d)/.exec(text)?.[1])).toEqual(["4", "1", "2"]);
  });

  test("become one file each, also encrypted", async () => {
    const made = await convert(numbered(12), ["pdf", "pdf"], { split: true, user_password: "open" });
    expect(made.parts?.map(({ name }) => name).slice(-1)).toEqual(["page-12"]);
    expect(made.parts).toHaveLength(12);
    expect(info(made.parts?.[11]?.path ?? "", "-upw", "open")).toMatch(/Pages:\s+1\b[\s\S]*Encrypted:\s+yes/);
  });

  test("of several files are joined and then changed", async () => {
    const { convert: run } = await engines.qpdf();
    const output = `${scratch.fresh()}.pdf`;
    const further = [{ path: numbered(2), from: "pdf" as const }];
    await run(
      taskOf(
        { input: numbered(3), output, from: "pdf", to: "pdf", further, options: { rotate: 180, pages: "2-" } },
        scratch.folder,
      ),
    );
    expect(await rotationsOf(output)).toEqual([180, 180, 180]);
  });
});

describe("encryption", () => {
  const source = numbered(1);

  test("needs the password, is AES with 256 bits, and keeps Unicode passwords", async () => {
    const { path } = await change(source, { user_password: "Grüße 東京" });
    expect(info(path, "-upw", "Grüße 東京")).toMatch(
      /Encrypted:\s+yes \(print:yes copy:yes change:yes addNotes:yes algorithm:AES-256\)/,
    );
    expect(await codeOf(convert(path, ["pdf", "pdf"], { rotate: 90 }))).toBe("password_required");
    expect(await codeOf(convert(path, ["pdf", "pdf"], { rotate: 90, password: "wrong" }))).toBe("password_required");
    const open = await change(path, { password: "Grüße 東京", linearize: true });
    expect(info(open.path)).toMatch(/Encrypted:\s+no/);
  });

  test("allows only what `permissions` lists, and opens without a password if there is only that for the owner", async () => {
    const { path } = await change(source, { owner_password: "mine", permissions: "print, fill" });
    expect(info(path)).toMatch(/Encrypted:\s+yes \(print:yes copy:no change:no addNotes:no/);
    const none = await change(source, { permissions: "none" });
    expect(info(none.path)).toMatch(/\(print:no copy:no change:no addNotes:no/);
  });

  test("takes a password that looks like an option literally", async () => {
    const { path } = await change(source, { user_password: "--linearize" });
    expect(info(path, "-upw", "--linearize")).toMatch(/Encrypted:\s+yes/);
  });
});

test("a linearized PDF is proved by qpdf", async () => {
  const { path } = await change(numbered(3), { linearize: true });
  expect(execFileSync("qpdf", ["--check-linearization", path], { encoding: "utf8" })).toContain(
    "no linearization errors",
  );
});

describe("flattening", () => {
  test("keeps the value of a form field visible, and no field", async () => {
    const document = await PDFDocument.load(readFileSync(numbered(1)));
    const field = document.getForm().createTextField("name");
    field.setText("Ada Lovelace");
    field.addToPage(document.getPage(0), { x: 50, y: 50, width: 200, height: 30 });
    const source = scratch.file(await document.save());
    const { path, codes } = await change(source, { flatten: true });
    const flat = await PDFDocument.load(readFileSync(path));
    expect(flat.getForm().getFields()).toEqual([]);
    expect((await viewPdf(path))[0]?.text).toContain("Ada Lovelace");
    expect(codes).toEqual([]);
  });

  test("warns about annotations that have no appearance", async () => {
    const document = await PDFDocument.load(readFileSync(numbered(1)));
    const square = document.context.obj({ Type: "Annot", Subtype: "Square", Rect: [10, 10, 90, 90] });
    document.getPage(0).node.set(PDFName.of("Annots"), document.context.obj([square]));
    const { codes } = await change(scratch.file(await document.save()), { flatten: true });
    expect(codes).toEqual(["annotations_dropped"]);
  });
});

test("a signed PDF is changed with a warning", async () => {
  const source = scratch.file(
    Buffer.concat([readFileSync(numbered(1)), Buffer.from("\n% /ByteRange [0 10 20 30]\n%%EOF\n")]),
  );
  expect((await convert(source, ["pdf", "pdf"], { rotate: 90 })).codes).toContain("signature_invalid");
});

test("a signed PDF that is merged after another one causes the same warning", async () => {
  const signed = scratch.file(
    Buffer.concat([readFileSync(numbered(1)), Buffer.from("\n% /ByteRange [0 10 20 30]\n%%EOF\n")]),
  );
  const { convert: run } = await engines.qpdf();
  const further = [{ path: signed, from: "pdf" as const }];
  const { warnings } = await run(
    taskOf({
      ...{ input: numbered(1), output: `${scratch.fresh()}.pdf`, from: "pdf", to: "pdf" },
      ...{ further, options: { rotate: 90 } },
    }),
  );
  expect(warnings.map(({ code }) => code)).toContain("signature_invalid");
});

test("a PDF whose cross-reference table is lost is repaired with a warning; a truncated one is corrupt", async () => {
  const bytes = readFileSync(numbered(2));
  const end = bytes.lastIndexOf("startxref");
  const { path, codes } = await change(scratch.file(bytes.subarray(0, end)), { rotate: 90 });
  expect(codes).toEqual(["source_repaired"]);
  expect(await rotationsOf(path)).toEqual([90, 90]);
  expect(await codeOf(convert(scratch.file(bytes.subarray(0, 300)), ["pdf", "pdf"], { rotate: 90 }))).toBe(
    "source_corrupt",
  );
});

/** A photo-like picture: gradients with noise, which compresses badly without loss. */
const photo = (width: number, height: number, channels: 1 | 3): Buffer => {
  const pixels = Buffer.alloc(width * height * channels);
  for (let index = 0; index < pixels.length; index += 1) {
    const place = Math.floor(index / channels);
    const noise = (Math.imul(place, 2_654_435_761) >>> 28) & 15;
    pixels[index] = ((place % width) * 200) / width + (index % channels) * 20 + noise;
  }
  return pixels;
};

/** Pictures of 1,200 × 900 pixels, 5 × 3.75 inches on the page, with samples as the name says. */
const paperWith = async (kind: "jpeg" | "gray" | "png" | "raw" | "palette"): Promise<string> => {
  const [width, height] = [1_200, 900];
  const document = await PDFDocument.create();
  const page = document.addPage([400, 400]);
  const rgb = sharp(photo(width, height, 3), { raw: { width, height, channels: 3 } });
  const gray = sharp(photo(width, height, 1), { raw: { width, height, channels: 1 } });
  const context = document.context;
  const add = (dict: Record<string, unknown>, bytes: Uint8Array) => {
    const basic = { Type: "XObject", Subtype: "Image", Width: width, Height: height, BitsPerComponent: 8 };
    return context.register(context.stream(bytes, { ...basic, ...dict } as never));
  };
  const flate = (bytes: Buffer, dict: Record<string, unknown>) => {
    const stream = context.flateStream(bytes, {
      Type: "XObject",
      Subtype: "Image",
      Width: width,
      Height: height,
      BitsPerComponent: 8,
      ...dict,
    } as never);
    return context.register(stream);
  };
  const refOf = {
    jpeg: async () => add({ Filter: "DCTDecode", ColorSpace: "DeviceRGB" }, await rgb.jpeg({ quality: 97 }).toBuffer()),
    gray: async () =>
      add(
        { Filter: "DCTDecode", ColorSpace: "DeviceGray" },
        await gray.toColourspace("b-w").jpeg({ quality: 97 }).toBuffer(),
      ),
    raw: async () => flate(photo(width, height, 3), { ColorSpace: "DeviceRGB" }),
    png: async () => {
      const png = await rgb.png().toBuffer();
      const chunks: Buffer[] = [];
      for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
        if (png.toString("latin1", at + 4, at + 8) === "IDAT") {
          chunks.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
        }
      }
      const DecodeParms = { Predictor: 15, Colors: 3, BitsPerComponent: 8, Columns: width };
      return add({ Filter: "FlateDecode", ColorSpace: "DeviceRGB", DecodeParms }, Buffer.concat(chunks));
    },
    palette: async () => {
      const palette = Buffer.from(Array.from({ length: 256 }, (_, index) => [index, 255 - index, index / 2]).flat());
      const ColorSpace = ["Indexed", "DeviceRGB", 255, context.register(context.stream(palette))];
      return flate(photo(width, height, 1), { ColorSpace });
    },
  };
  const name = page.node.newXObject("Photo", await refOf[kind]());
  const content = context.stream(`q 360 0 0 270 20 100 cm ${name} Do Q BT ET`);
  page.node.addContentStream(context.register(content));
  page.drawText("A caption stays.", { x: 20, y: 50 });
  return scratch.file(await document.save());
};

const imagesIn = (path: string): string[] =>
  execFileSync("pdfimages", ["-list", path], { encoding: "utf8" }).trim().split("\n").slice(2);

describe("compression", () => {
  test.each(["jpeg", "gray", "png", "raw", "palette"] as const)("resamples images stored as %s", async (kind) => {
    const source = await paperWith(kind);
    const { path, codes } = await change(source, { compress: "screen" });
    expect(codes).toEqual([]);
    expect(statSync(path).size).toBeLessThan(statSync(source).size / 5);
    const [, , , width, height, color] = imagesIn(path)[0]?.trim().split(/\s+/) ?? [];
    expect([width, height, color]).toEqual(["480", "360", kind === "gray" ? "gray" : "rgb"]);
    const [[before], [after]] = await Promise.all([viewPdf(source), viewPdf(path)]);
    expect(after?.text).toContain("A caption stays.");
    expect(distance(before?.pixels ?? new Uint8Array(), after?.pixels ?? new Uint8Array())).toBeLessThan(4);
  });

  test("keeps images below the resolution at their size, and never makes a file larger", async () => {
    const source = await paperWith("jpeg");
    const small = await change(source, { compress: "screen" });
    const again = await change(small.path, { compress: "print" });
    expect(again.codes).toEqual(["option_without_effect"]);
    expect(readFileSync(again.path).equals(readFileSync(small.path))).toBe(true);
  });

  test("reaches a size with as little loss as possible, or returns the smallest with a warning", async () => {
    const source = await paperWith("jpeg");
    const half = Math.round(statSync(source).size / 2);
    const fitting = await change(source, { target_size: half });
    expect(fitting.codes).toEqual([]);
    const { size } = statSync(fitting.path);
    expect(size).toBeLessThanOrEqual(half);
    const least = await change(source, { target_size: 1_000 });
    expect(least.codes).toEqual(["target_size_missed"]);
    expect(size).toBeGreaterThan(statSync(least.path).size);
    const split = await convert(source, ["pdf", "pdf"], { target_size: half, split: true });
    expect(split.parts).toHaveLength(1);
  });

  /** Puts another image in the place of the one of {@link paperWith}. */
  const withImage = async (bytes: Buffer, dict: Readonly<Record<string, string | undefined>>): Promise<string> => {
    const document = await PDFDocument.load(readFileSync(await paperWith("jpeg")));
    for (const [ref, object] of document.context.enumerateIndirectObjects()) {
      if (object instanceof PDFRawStream && object.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Image")) {
        for (const [key, value] of Object.entries(dict)) {
          object.dict.set(PDFName.of(key), PDFName.of(value ?? ""));
        }
        document.context.assign(ref, PDFRawStream.of(object.dict, bytes));
      }
    }
    return scratch.file(await document.save());
  };
  const photoPixels = () => sharp(photo(1_200, 900, 3), { raw: { width: 1_200, height: 900, channels: 3 } });
  const looksEqual = async (one: string, other: string): Promise<void> => {
    const [[before], [after]] = await Promise.all([viewPdf(one), viewPdf(other)]);
    expect(distance(before?.pixels ?? new Uint8Array(), after?.pixels ?? new Uint8Array())).toBeLessThan(4);
  };

  test("resamples JPEGs with CMYK colors; raw CMYK stays as it is, with a warning", async () => {
    const cmyk = photoPixels().toColourspace("cmyk");
    const source = await withImage(await cmyk.clone().jpeg({ quality: 97 }).toBuffer(), { ColorSpace: "DeviceCMYK" });
    const { path, codes } = await change(source, { compress: "screen" });
    expect(codes).toEqual([]);
    expect(imagesIn(path)[0]?.trim().split(/\s+/).slice(3, 6)).toEqual(["480", "360", "cmyk"]);
    await looksEqual(source, path);
    const raw = deflateSync(await cmyk.raw().toBuffer());
    const other = await change(await withImage(raw, { ColorSpace: "DeviceCMYK", Filter: "FlateDecode" }), {
      compress: "screen",
    });
    expect(other.codes).toContain("images_unchanged");
    expect(imagesIn(other.path)[0]?.trim().split(/\s+/)[3]).toBe("1200");
  });

  test("resamples images in JPEG 2000", async () => {
    const png = scratch.file(await photoPixels().png().toBuffer());
    const jp2 = await convertingBy("magick", scratch)(png, ["png", "jp2"]);
    const source = await withImage(readFileSync(jp2.path), { Filter: "JPXDecode" });
    const { path, codes } = await change(source, { compress: "screen" });
    expect(codes).toEqual([]);
    expect(imagesIn(path)[0]?.trim().split(/\s+/).slice(3, 9)).toEqual(["480", "360", "rgb", "3", "8", "jpeg"]);
    await looksEqual(source, path);
  });

  test("resamples soft masks without loss, and removes the history in the XMP but not the title", async () => {
    const document = await PDFDocument.load(readFileSync(await paperWith("jpeg")));
    const { context } = document;
    const noise = photo(1_200, 900, 1);
    const mask = context.flateStream(noise, {
      ...{ Type: "XObject", Subtype: "Image", Width: 1_200, Height: 900, BitsPerComponent: 8 },
      ColorSpace: "DeviceGray",
    });
    for (const [, object] of context.enumerateIndirectObjects()) {
      if (object instanceof PDFRawStream && object.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Image")) {
        object.dict.set(PDFName.of("SMask"), context.register(mask));
      }
    }
    const history = `<xmpMM:History><rdf:Seq>${"<rdf:li>saved</rdf:li>".repeat(500)}</rdf:Seq></xmpMM:History>`;
    const title = "<dc:title><rdf:Alt><rdf:li>Kept</rdf:li></rdf:Alt></dc:title>";
    const xmp = `<x:xmpmeta><rdf:RDF><rdf:Description>${history}${title}</rdf:Description></rdf:RDF></x:xmpmeta>`;
    const metadata = context.stream(xmp, { Type: "Metadata", Subtype: "XML" });
    document.catalog.set(PDFName.of("Metadata"), context.register(metadata));
    const source = scratch.file(await document.save());
    const { path } = await change(source, { compress: "screen" });
    expect(imagesIn(path)[1]?.trim().split(/\s+/).slice(2, 9)).toEqual([
      "smask",
      "480",
      "360",
      "gray",
      "1",
      "8",
      "image",
    ]);
    await looksEqual(source, path);
    expect(info(path, "-meta")).toContain("Kept");
    expect(info(path, "-meta")).not.toContain("History");
  });

  test("finds the resolution of images in forms after strings and inline images", async () => {
    const document = await PDFDocument.load(readFileSync(await paperWith("jpeg")));
    const page = document.getPage(0);
    const objects = page.node.Resources()?.lookup(PDFName.of("XObject"), PDFDict);
    const [key = PDFName.of("")] = objects?.keys() ?? [];
    const form = document.context.stream("q 2 0 0 2 0 0 cm /Inner Do Q", {
      ...{ Type: "XObject", Subtype: "Form", BBox: [0, 0, 400, 400], Matrix: [180, 0, 0, 135, 0, 0] },
      Resources: { XObject: { Inner: objects?.get(key) ?? null } },
    });
    objects?.set(PDFName.of("Form"), document.context.register(form));
    objects?.delete(key);
    const text = "BT (q 9 0 0 9 0 0 cm \\) Q) Tj ET BI /W 1 /H 1 /BPC 8 /CS /G ID q EI";
    const content = `${text} q 1 0 0 1 20 100 cm /Form Do Q`;
    page.node.set(PDFName.of("Contents"), document.context.register(document.context.stream(content)));
    const { path } = await change(scratch.file(await document.save()), { compress: "screen" });
    expect(imagesIn(path)[1]?.trim().split(/\s+/).slice(3, 5)).toEqual(["480", "360"]);
  });

  test("leaves an image alone whose samples are incomplete or whose color range is changed", async () => {
    const document = await PDFDocument.load(readFileSync(await paperWith("jpeg")));
    for (const [, object] of document.context.enumerateIndirectObjects()) {
      if (object instanceof PDFRawStream && object.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Image")) {
        object.dict.set(PDFName.of("Decode"), document.context.obj([1, 0, 1, 0, 1, 0]));
      }
    }
    const source = scratch.file(await document.save());
    const { path } = await change(source, { compress: "screen" });
    expect(imagesIn(path)[0]?.trim().split(/\s+/)[3]).toBe("1200");
    const cut = await PDFDocument.load(readFileSync(await paperWith("raw")));
    for (const [ref, object] of cut.context.enumerateIndirectObjects()) {
      if (object instanceof PDFRawStream && object.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Image")) {
        const dict = PDFDict.fromMapWithContext(new Map(object.dict.entries()), cut.context);
        dict.set(PDFName.of("Height"), PDFNumber.of(9_000));
        cut.context.assign(ref, PDFRawStream.of(dict, object.contents));
      }
    }
    const made = await change(scratch.file(await cut.save()), { compress: "screen" });
    expect(imagesIn(made.path)[0]?.trim().split(/\s+/)[4]).toBe("9000");
  });
});
