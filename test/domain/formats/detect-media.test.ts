import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { type FormatId, formatNamed, formatOf, formats } from "../../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";
import { seeded } from "../../support/random.ts";

const folder = join(import.meta.dirname, "../../fixtures");
const fixture = (name: string): Buffer => readFileSync(join(folder, name));

/** @returns the format detected from the parts of the file that the service reads */
const detected = (bytes: Uint8Array, filename = ""): FormatId | undefined =>
  detectFormat(bytes.subarray(0, DETECTION_BYTES), { tail: bytes.subarray(-DETECTION_BYTES), filename });

const isMedia = (format: FormatId | undefined): boolean =>
  format !== undefined && ["audio", "video"].includes(formatOf(format).family);

const text = (letters: string): Buffer => Buffer.from(letters, "latin1");

/** @returns a box with its size before it */
const box = (name: string, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + body.length);
  return Buffer.concat([size, text(name), body]);
};
const ftyp = (major: string, ...others: readonly string[]): Buffer =>
  box("ftyp", text(`${major}\0\0\0\0${others.join("")}`));

describe("an audio or video sample", () => {
  const names = readdirSync(folder).filter((name) => name.startsWith("sample."));
  const samples = names.flatMap((name) => {
    const format = formatNamed(name.replace("sample.", ""));
    return format !== undefined && isMedia(format) ? [{ name, format }] : [];
  });

  /** Their bytes are those of another format, so only the name identifies them. */
  const BY_NAME: Readonly<Record<string, FormatId>> = { asf: "wmv", vob: "mpg" };

  test.each(samples)("$name is detected by its bytes", ({ name, format }) => {
    expect(detected(fixture(name), name)).toBe(format);
    expect(detected(fixture(name))).toBe(BY_NAME[format] ?? format);
  });

  test.each(samples)("$name is detected from its first 20 kB, whatever its name", ({ name, format }) => {
    expect(detected(fixture(name).subarray(0, 20_000), "a.mp3")).toBe(BY_NAME[format] ?? format);
  });

  test("exists for every format except those that cannot be written here", () => {
    const missing = formats.filter(({ id }) => isMedia(id) && !samples.some(({ format }) => format === id));
    expect(missing.map(({ id }) => id)).toEqual(["tak"]);
  });
});

test("no other fixture is detected as audio or video, even if its name says so", () => {
  const others = readdirSync(folder).filter(
    (name) => !/\.(?:ts|py|md)$/.test(name) && !isMedia(detected(fixture(name), name)),
  );
  expect(others.length).toBeGreaterThan(100);
  for (const extension of ["mp3", "mp4", "ts", "aac", "vob"]) {
    const taken = others.filter((name) => isMedia(detected(fixture(name), `a.${extension}`)));
    expect(taken).toEqual([]);
  }
});

test("random bytes are not detected as audio frames", () => {
  // Seeded: two bytes are enough for a JPEG XL codestream, so one random file in 20,000 has a format.
  const random = seeded(1);
  const noise = () => Uint8Array.from({ length: DETECTION_BYTES }, () => random.below(256));
  const kinds = Array.from({ length: 300 }, () => detected(noise(), "a.mp3"));
  expect(new Set(kinds)).toEqual(new Set([undefined]));
});

describe("a playlist that refers to other files is text, whatever its name", () => {
  const lists: readonly [string, FormatId, string][] = [
    ["an HLS playlist", "txt", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"],
    ["an ffconcat list", "txt", "ffconcat version 1.0\nfile 'https://example.org/a.mp4'\n"],
    [
      "a session description",
      "txt",
      "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=a\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n",
    ],
    ["a cue sheet", "txt", 'FILE "/etc/passwd" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n'],
    ["a PLS list", "ini", "[playlist]\nFile1=http://127.0.0.1/\nNumberOfEntries=1\n"],
    ["a RealMedia link", "txt", "rtsp://127.0.0.1/a.rm\n"],
    ["a DASH manifest", "xml", '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period/></MPD>'],
    [
      "a composition playlist",
      "xml",
      '<?xml version="1.0"?><CompositionPlaylist xmlns="a"><Id>1</Id></CompositionPlaylist>',
    ],
  ];
  const extensions = ["mp4", "avi", "mkv", "mp3", "ts", "m4a", "vob", "asf", "mka", "flac"];
  test.each(lists)("%s", (_, format, content) => {
    const kinds = extensions.map((extension) => detected(text(content), `a.${extension}`));
    // INI is detected only by its name.
    expect(new Set(kinds)).toEqual(new Set([format === "ini" ? "txt" : format]));
  });
});

describe("MP4 boxes", () => {
  const cases: readonly [string, FormatId | undefined, Buffer, string?][] = [
    ["iTunes audio", "m4a", ftyp("M4A ", "mp42", "isom")],
    ["an audiobook", "m4b", ftyp("M4B ", "isom")],
    ["audio with a video brand, by its name", "m4a", ftyp("isom", "mp42"), "a.M4A"],
    ["a phone video that also lists the 3GP brand", "mp4", ftyp("isom", "isom", "3gp4")],
    ["a phone video named .mov", "mp4", ftyp("mp42", "isom"), "a.mov"],
    ["a 3GP", "3gp", ftyp("3gp5", "isom")],
    ["a video with an unknown major brand and a known compatible one", "mp4", ftyp("zzzz", "isom")],
    [
      "a video with unknown brands only",
      "mp4",
      Buffer.concat([ftyp("zzzz"), box("free"), box("moov", Buffer.alloc(100))]),
    ],
    [
      "images with unknown brands",
      undefined,
      Buffer.concat([ftyp("zzzz"), box("meta", Buffer.alloc(100)), box("mdat")]),
    ],
    ["a Canon raw image", "cr3", Buffer.concat([ftyp("crx "), box("moov", Buffer.alloc(100))])],
    ["a QuickTime file from before brands, index first", "mov", box("moov", box("mvhd", Buffer.alloc(100)))],
    [
      "a QuickTime file from before brands, index last",
      "mov",
      Buffer.concat([box("wide"), box("mdat", Buffer.alloc(100_000))]),
    ],
    [
      "a box that extends to the end of the file",
      "mov",
      Buffer.concat([Buffer.alloc(4), text("mdat"), Buffer.alloc(100)]),
    ],
    ["text that contains a box name", "txt", text("The moov box is written so.")],
  ];
  test.each(cases)("%s is %s", (_, format, bytes, filename) => {
    expect(detected(bytes, filename)).toBe(format);
  });
});

describe("a container is detected by its content", () => {
  const mka = fixture("sample.mka");
  const mkv = fixture("sample.mkv");
  const hidden = Buffer.concat([mkv.subarray(0, 60), Buffer.alloc(DETECTION_BYTES)]);
  const ogg = (...streams: readonly string[]): Buffer =>
    Buffer.concat(
      streams.map((begin, index) =>
        Buffer.concat([
          text("OggS\0\u0002"),
          Buffer.alloc(20, index),
          Buffer.from([1, 40]),
          text(begin.padEnd(40, "\0")),
        ]),
      ),
    );
  const cases: readonly [string, FormatId | undefined, Buffer, string?][] = [
    ["Matroska with audio only, named .mkv", "mka", mka, "a.mkv"],
    ["Matroska with video, named .mka", "mkv", mkv, "a.mka"],
    ["Matroska whose tracks come late, named .mka", "mka", hidden, "a.mka"],
    ["Matroska whose tracks come late", "mkv", hidden],
    [
      "another EBML document",
      undefined,
      Buffer.concat([Buffer.from("1a45dfa3874282846e6f6e65", "hex"), Buffer.alloc(9)]),
    ],
    ["Opus, named .ogg", "opus", fixture("sample.opus"), "a.ogg"],
    ["Vorbis, named .opus", "ogg", fixture("sample.ogg"), "a.opus"],
    ["video after a skeleton stream", "ogv", ogg("fishead", "\u0001vorbis", "\u0080theora")],
    ["Opus after a skeleton stream", "opus", ogg("fishead", "OpusHead")],
    ["FLAC in Ogg", "ogg", ogg("\u007fFLAC"), "a.flac"],
    ["streams with two codecs", "ogg", ogg("OpusHead", "\u0001vorbis")],
    ["Windows Media audio, named .wmv", "wma", fixture("sample.wma"), "a.wmv"],
    ["Windows Media without stream headers", "asf", fixture("sample.wmv").subarray(0, 30)],
    ["a RIFF file larger than 4 GB", "wav", text("RF64\u00ff\u00ff\u00ff\u00ffWAVEds64")],
    ["a program stream, named like a DVD's", "vob", fixture("sample.mpg"), "VTS_01_1.VOB"],
  ];
  test.each(cases)("%s is %s", (_, format, bytes, filename) => {
    expect(detected(bytes, filename)).toBe(format);
  });
});

describe("frames and packets", () => {
  const untagged = (name: string): Buffer => {
    const bytes = fixture(name);
    const size = 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (bytes[at] ?? 0), 0);
    return bytes.subarray(bytes.toString("latin1", 0, 3) === "ID3" ? size : 0);
  };
  const id3 = (bytes: number): Buffer => {
    const size = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f);
    return Buffer.concat([text("ID3\u0004\0\0"), Buffer.from(size), Buffer.alloc(bytes)]);
  };
  const mp3 = untagged("sample.mp3");
  const ts = fixture("sample.ts");
  const withChecksums = Buffer.concat(
    Array.from({ length: 20 }, (_, packet) => [ts.subarray(packet * 188, packet * 188 + 188), Buffer.alloc(16)]).flat(),
  );
  const module31 = Buffer.concat([Buffer.alloc(1_080), text("M.K."), Buffer.alloc(1_024)]);
  const prose = text(`${"Notes on M.K. Gandhi. ".repeat(49)}..M.K. Gandhi`);
  const cases: readonly [string, FormatId | undefined, Buffer, string?][] = [
    ["MP3 without a tag", "mp3", mp3],
    ["MP3 with two frames", "mp3", mp3.subarray(0, 416)],
    ["MP3 after zeros and garbage", "mp3", Buffer.concat([Buffer.alloc(500), randomBytes(1_000), mp3])],
    ["MP3 after a tag that fills the head", "mp3", Buffer.concat([id3(100_000), mp3])],
    ["MP3 after two tags", "mp3", Buffer.concat([id3(100), id3(2_000), mp3])],
    ["FLAC after a tag", "flac", Buffer.concat([id3(1_000), fixture("sample.flac")]), "a.mp3"],
    [
      "FLAC after a tag that fills the head, by its name",
      "flac",
      Buffer.concat([id3(100_000), fixture("sample.flac")]),
      "a.flac",
    ],
    ["AAC after a tag", "aac", Buffer.concat([id3(1_000), fixture("sample.aac")])],
    ["a tag with a wrong size", "mp3", Buffer.concat([text("ID3\u0003\0\0\u007f\u007f\u007f\u007f"), mp3])],
    ["layer II, named .mp3", "mp2", fixture("sample.mp2"), "a.mp3"],
    ["a single frame", undefined, Buffer.concat([mp3.subarray(0, 209), Buffer.alloc(1_000, 1)]), "a.mp3"],
    ["a transport stream that starts within a packet", "ts", ts.subarray(100)],
    ["a transport stream with checksums", "ts", withChecksums],
    ["a transport stream named like a camera's", "ts", ts, "00001.MTS"],
    ["a packet followed by zeros", undefined, Buffer.concat([ts.subarray(0, 188), Buffer.alloc(2_000)]), "a.ts"],
    ["a module", "mod", module31],
    ["text with a module's signature at the right offset", "txt", prose, "a.mod"],
  ];
  test.each(cases)("%s: %s", (_, format, bytes, filename) => {
    expect(detected(bytes, filename)).toBe(format);
  });

  test("the text above has the signature at the offset of a module's", () => {
    expect(prose.toString("latin1", 1_080, 1_084)).toBe("M.K.");
  });
});

const corpus = process.env.ANYFORM_CORPUS ?? "";

/** Corpus files whose label contradicts their bytes. */
const OTHERWISE: Readonly<Record<string, FormatId | undefined>> = {
  // Its document type is WebM.
  "exoplayer__bear-opus.mka": "webm",
  // It has no video.
  "file__fixture.wma.asf": "wma",
  // A fuzzer changed its signature.
  "taglib__excessive_alloc.aif": undefined,
};

describe.skipIf(corpus === "")("audio and video of the corpus (set ANYFORM_CORPUS to its folder)", () => {
  const manifest = corpus === "" ? "" : readFileSync(join(corpus, "MANIFEST.tsv"), "utf8");
  const files = manifest.split("\n").flatMap((line) => {
    const [file = "", label = ""] = line.split("\t");
    const name = basename(file);
    const format = name in OTHERWISE ? OTHERWISE[name] : formatNamed(label);
    return /^(?:audio|video)\//.test(file) ? [{ file, name, format }] : [];
  });

  test.each(files)("$file is $format", ({ file, name, format }) => {
    expect(detected(readFileSync(join(corpus, file)), name)).toBe(format);
  });
});
