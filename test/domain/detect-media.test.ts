import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../functions/domain/formats/detect.ts";
import { type FormatId, formatNamed, formatOf, formats } from "../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../functions/domain/limits.ts";
import { seeded } from "../support/random.ts";

const folder = join(import.meta.dirname, "../fixtures");
const fixture = (name: string): Buffer => readFileSync(join(folder, name));

/** @returns the format by the parts of the file that the service looks at */
const told = (bytes: Uint8Array, filename = ""): FormatId | undefined =>
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

describe("a sample of sound or film", () => {
  const names = readdirSync(folder).filter((name) => name.startsWith("sample."));
  const samples = names.flatMap((name) => {
    const format = formatNamed(name.replace("sample.", ""));
    return format !== undefined && isMedia(format) ? [{ name, format }] : [];
  });

  /** Their bytes are those of another format: the name alone tells them. */
  const BY_NAME: Readonly<Record<string, FormatId>> = { asf: "wmv", vob: "mpg" };

  test.each(samples)("$name is told by its bytes", ({ name, format }) => {
    expect(told(fixture(name), name)).toBe(format);
    expect(told(fixture(name))).toBe(BY_NAME[format] ?? format);
  });

  test.each(samples)("$name is told from its first 20 kB, whatever it is called", ({ name, format }) => {
    expect(told(fixture(name).subarray(0, 20_000), "a.mp3")).toBe(BY_NAME[format] ?? format);
  });

  test("is there of all formats but those that nothing here writes", () => {
    const missing = formats.filter(({ id }) => isMedia(id) && !samples.some(({ format }) => format === id));
    expect(missing.map(({ id }) => id)).toEqual(["tak"]);
  });
});

test("no other fixture is taken for sound or a film, even if its name says so", () => {
  const others = readdirSync(folder).filter(
    (name) => !/\.(?:ts|py|md)$/.test(name) && !isMedia(told(fixture(name), name)),
  );
  expect(others.length).toBeGreaterThan(100);
  for (const extension of ["mp3", "mp4", "ts", "aac", "vob"]) {
    const taken = others.filter((name) => isMedia(told(fixture(name), `a.${extension}`)));
    expect(taken).toEqual([]);
  }
});

test("no random bytes are taken for frames of sound", () => {
  // Seeded: two bytes are enough for a JPEG XL codestream, so one random file in 20,000 has a format.
  const random = seeded(1);
  const noise = () => Uint8Array.from({ length: DETECTION_BYTES }, () => random.below(256));
  const kinds = Array.from({ length: 300 }, () => told(noise(), "a.mp3"));
  expect(new Set(kinds)).toEqual(new Set([undefined]));
});

describe("a list that refers to films is a text, whatever it is called", () => {
  const lists: readonly [string, FormatId, string][] = [
    ["an HLS playlist", "txt", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"],
    ["a list for concat", "txt", "ffconcat version 1.0\nfile 'https://example.org/a.mp4'\n"],
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
    const kinds = extensions.map((extension) => told(text(content), `a.${extension}`));
    // An ini is told by its name only.
    expect(new Set(kinds)).toEqual(new Set([format === "ini" ? "txt" : format]));
  });
});

describe("boxes of a film", () => {
  const cases: readonly [string, FormatId | undefined, Buffer, string?][] = [
    ["iTunes' sound", "m4a", ftyp("M4A ", "mp42", "isom")],
    ["an audiobook", "m4b", ftyp("M4B ", "isom")],
    ["sound with the brand of a film, by its name", "m4a", ftyp("isom", "mp42"), "a.M4A"],
    ["a film of a telephone, which names 3GP too", "mp4", ftyp("isom", "isom", "3gp4")],
    ["a film of a telephone that is called a QuickTime", "mp4", ftyp("mp42", "isom"), "a.mov"],
    ["a 3GP", "3gp", ftyp("3gp5", "isom")],
    ["a film of an unknown brand that names a known one", "mp4", ftyp("zzzz", "isom")],
    ["a film of unknown brands", "mp4", Buffer.concat([ftyp("zzzz"), box("free"), box("moov", Buffer.alloc(100))])],
    [
      "pictures of unknown brands",
      undefined,
      Buffer.concat([ftyp("zzzz"), box("meta", Buffer.alloc(100)), box("mdat")]),
    ],
    ["a raw picture of Canon", undefined, Buffer.concat([ftyp("crx "), box("moov", Buffer.alloc(100))])],
    ["a QuickTime before brands were, index first", "mov", box("moov", box("mvhd", Buffer.alloc(100)))],
    [
      "a QuickTime before brands were, index last",
      "mov",
      Buffer.concat([box("wide"), box("mdat", Buffer.alloc(100_000))]),
    ],
    ["a box that goes on to the end", "mov", Buffer.concat([Buffer.alloc(4), text("mdat"), Buffer.alloc(100)])],
    ["a text in which a box could be", "txt", text("The moov box is written so.")],
  ];
  test.each(cases)("%s is %s", (_, format, bytes, filename) => {
    expect(told(bytes, filename)).toBe(format);
  });
});

describe("a container is told by what is in it", () => {
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
    ["Matroska with sound only, called a film", "mka", mka, "a.mkv"],
    ["Matroska with pictures, called sound", "mkv", mkv, "a.mka"],
    ["Matroska whose tracks are far behind, called sound", "mka", hidden, "a.mka"],
    ["Matroska whose tracks are far behind", "mkv", hidden],
    [
      "another document of EBML",
      undefined,
      Buffer.concat([Buffer.from("1a45dfa3874282846e6f6e65", "hex"), Buffer.alloc(9)]),
    ],
    ["Opus, called Ogg", "opus", fixture("sample.opus"), "a.ogg"],
    ["Vorbis, called Opus", "ogg", fixture("sample.ogg"), "a.opus"],
    ["pictures behind a skeleton", "ogv", ogg("fishead", "\u0001vorbis", "\u0080theora")],
    ["Opus behind a skeleton", "opus", ogg("fishead", "OpusHead")],
    ["FLAC in Ogg", "ogg", ogg("\u007fFLAC"), "a.flac"],
    ["streams of two codecs", "ogg", ogg("OpusHead", "\u0001vorbis")],
    ["Windows Media sound, called a film", "wma", fixture("sample.wma"), "a.wmv"],
    ["Windows Media without its streams", "asf", fixture("sample.wmv").subarray(0, 30)],
    ["a RIFF of more than 4 GB", "wav", text("RF64\u00ff\u00ff\u00ff\u00ffWAVEds64")],
    ["a program stream, called a DVD's", "vob", fixture("sample.mpg"), "VTS_01_1.VOB"],
  ];
  test.each(cases)("%s is %s", (_, format, bytes, filename) => {
    expect(told(bytes, filename)).toBe(format);
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
    ["MP3 of two frames", "mp3", mp3.subarray(0, 416)],
    ["MP3 behind zeros and rubbish", "mp3", Buffer.concat([Buffer.alloc(500), randomBytes(1_000), mp3])],
    ["MP3 behind a tag that fills the head", "mp3", Buffer.concat([id3(100_000), mp3])],
    ["MP3 behind two tags", "mp3", Buffer.concat([id3(100), id3(2_000), mp3])],
    ["FLAC behind a tag", "flac", Buffer.concat([id3(1_000), fixture("sample.flac")]), "a.mp3"],
    [
      "FLAC behind a tag that fills the head, by its name",
      "flac",
      Buffer.concat([id3(100_000), fixture("sample.flac")]),
      "a.flac",
    ],
    ["AAC behind a tag", "aac", Buffer.concat([id3(1_000), fixture("sample.aac")])],
    ["a tag whose size is a lie", "mp3", Buffer.concat([text("ID3\u0003\0\0\u007f\u007f\u007f\u007f"), mp3])],
    ["layer II, called MP3", "mp2", fixture("sample.mp2"), "a.mp3"],
    ["one frame alone", undefined, Buffer.concat([mp3.subarray(0, 209), Buffer.alloc(1_000, 1)]), "a.mp3"],
    ["a transport stream that is joined within a packet", "ts", ts.subarray(100)],
    ["a transport stream with checksums", "ts", withChecksums],
    ["a transport stream that is called a camera's", "ts", ts, "00001.MTS"],
    ["a packet and zeros", undefined, Buffer.concat([ts.subarray(0, 188), Buffer.alloc(2_000)]), "a.ts"],
    ["a module", "mod", module31],
    ["a text that has the mark of a module in its place", "txt", prose, "a.mod"],
  ];
  test.each(cases)("%s: %s", (_, format, bytes, filename) => {
    expect(told(bytes, filename)).toBe(format);
  });

  test("the text above has the mark where a module has it", () => {
    expect(prose.toString("latin1", 1_080, 1_084)).toBe("M.K.");
  });
});

const corpus = process.env.ANYFORM_CORPUS ?? "";

/** Files of the corpus whose label is not what their bytes prove. */
const OTHERWISE: Readonly<Record<string, FormatId | undefined>> = {
  // Its document type is WebM's.
  "exoplayer__bear-opus.mka": "webm",
  // It has no pictures.
  "file__fixture.wma.asf": "wma",
  // A fuzzer changed its mark.
  "taglib__excessive_alloc.aif": undefined,
};

describe.skipIf(corpus === "")("sound and films of the corpus (set ANYFORM_CORPUS to its folder)", () => {
  const manifest = corpus === "" ? "" : readFileSync(join(corpus, "MANIFEST.tsv"), "utf8");
  const files = manifest.split("\n").flatMap((line) => {
    const [file = "", label = ""] = line.split("\t");
    const name = basename(file);
    const format = name in OTHERWISE ? OTHERWISE[name] : formatNamed(label);
    return /^(?:audio|video)\//.test(file) ? [{ file, name, format }] : [];
  });

  test.each(files)("$file is $format", ({ file, name, format }) => {
    expect(told(readFileSync(join(corpus, file)), name)).toBe(format);
  });
});
