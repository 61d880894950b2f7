import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Options } from "../../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { EBML, element, resegmented } from "../ebml.ts";
import { box, rewritten, words } from "../processes/boxes.ts";
import { type Attack, attack, sample } from "./attack.ts";

/** Audio, video and playlists with external references. */

/** A format for each demuxer, and its target. */
const EVERY: readonly (readonly [FormatId, FormatId])[] = [
  ...(["mp4", "mov", "mkv", "webm", "avi", "flv", "wmv", "mpg", "ts", "m2ts", "3gp", "ogv"] as const).map(
    (from) => [from, "gif"] as const,
  ),
  ...(["mxf", "rm", "dv", "y4m"] as const).map((from) => [from, "mp4"] as const),
  ...(["mp3", "aac", "ogg", "flac", "wav", "aiff", "caf", "au", "w64", "ac3", "dts", "amr"] as const).map(
    (from) => [from, from === "mp3" ? "wav" : "mp3"] as const,
  ),
  ...(["m4a", "wma", "wv", "tta", "ape", "dsf", "mka", "mod"] as const).map((from) => [from, "mp3"] as const),
];

/** Formats whose demuxers search far for known data. */
const TRUSTING: readonly FormatId[] = ["mp4", "mkv", "avi", "mp3", "ts", "mpg", "flv", "ogg"];

/** @param places network addresses, file addresses and paths, none of which may be opened */
export const mediaReferences = (places: readonly string[]): readonly (Attack & { readonly options?: Options })[] => [
  ...EVERY.map(([from, to]) => attack(from, [to], "is a playlist", () => playlist(places))),
  ...EVERY.map(([from, to]) =>
    attack(from, [to], "starts as declared, and is a playlist", () =>
      Buffer.concat([sample(from).subarray(0, 64), Buffer.from(playlist(places))]),
    ),
  ),
  ...EVERY.filter(([from]) => TRUSTING.includes(from)).flatMap(([from, to]) => [
    ...Object.entries(listsOf(places)).map(([name, list]) => attack(from, [to], `is ${name}`, () => list)),
    attack(from, [to], "ends in a playlist", () => Buffer.concat([sample(from), Buffer.from(playlist(places))])),
  ]),
  attack("mp3", ["wav"], "is a playlist after a tag", () =>
    Buffer.concat([Buffer.from("ID3\u0004\0\0\0\0\0\0", "latin1"), Buffer.from(playlist(places))]),
  ),
  ...places.flatMap((place) => [
    attack("avi", ["mkv"], `has subtitles that are a playlist of ${place}`, () => subtitledAvi(playlist([place]))),
    attack("mov", ["mkv"], `has its samples in another file: ${place}`, () => outside("url ", place)),
    attack("mov", ["mp3"], `has its samples in another file, by an alias: ${place}`, () => outside("alis", place)),
    attack("mov", ["mp4"], `is a reference to another movie: ${place}`, () => referenceMovie(place)),
    attack("mp3", ["m4a"], `has an external cover: ${place}`, () => linkedCover(place)),
    attack("mkv", ["mp4"], `continues in another file: ${place}`, () => linkedSegment(place)),
    attack("mkv", ["webm"], `has attachments with paths: ${place}`, () => attached(place)),
    {
      ...attack("mkv", ["mp4"], `has subtitles with external fonts: ${place}`, () => styled(place)),
      options: { subtitles: "burn" } as const,
    },
  ]),
];

const playlist = (places: readonly string[]): string =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:9\n${places
    .map((place) => `#EXT-X-MAP:URI="${place}"\n#EXT-X-KEY:METHOD=AES-128,URI="${place}"\n#EXTINF:9,\n${place}\n`)
    .join("")}#EXT-X-ENDLIST\n`;

const listsOf = (places: readonly string[]): Readonly<Record<string, string>> => ({
  "an ffconcat list": `ffconcat version 1.0\n${places.map((place) => `file '${place}'\n`).join("")}`,
  "a DASH manifest": `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="video/mp4">${places
    .map((place) => `<Representation id="1" bandwidth="1"><BaseURL>${place}</BaseURL><SegmentBase/></Representation>`)
    .join("")}</AdaptationSet></Period></MPD>`,
  "a composition playlist": `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:1</Id>${places.map((place) => `<Resource><TrackFileId>${place}</TrackFileId></Resource>`).join("")}</CompositionPlaylist>`,
  "a session description": `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=a\nc=IN IP4 127.0.0.1\nt=0 0\n${places.map((place) => `a=control:${place}\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n`).join("")}`,
});

/** An AVI with one stream that has subtitles in a chunk `GAB2`, where ffmpeg searches for them. */
const subtitledAvi = (list: string): Buffer => {
  const chunk = (name: string, ...content: readonly Uint8Array[]) => {
    const body = Buffer.concat(content);
    return Buffer.concat([
      Buffer.from(name, "latin1"),
      words(body.length).swap32(),
      body,
      Buffer.alloc(body.length % 2),
    ]);
  };
  const text = (letters: string) => Buffer.from(letters, "latin1");
  const little = (...values: readonly number[]) => words(...values).swap32();
  const head = chunk("avih", little(40_000, 0, 0, 16, 50, 0, 1, 0, 128, 96, 0, 0, 0, 0));
  const stream = chunk("strh", text("txts"), Buffer.alloc(16), little(1, 25, 0, 50, 0, 0, 0, 0, 0));
  const gab2 = Buffer.concat([
    text("GAB2\0\u0002\0"),
    little(2),
    text("a\0"),
    text("\u0004\0"),
    little(list.length),
    text(list),
  ]);
  const lists = [
    chunk("LIST", text("hdrl"), head, chunk("LIST", text("strl"), stream, chunk("strf", Buffer.alloc(40)))),
    chunk("LIST", text("movi"), chunk("00tx", gab2)),
  ];
  return chunk("RIFF", text("AVI "), ...lists);
};

/** The sample with external data references for its tracks. Its tables are after the data, so offsets do not change. */
const outside = (kind: "url " | "alis", place: string): Buffer =>
  rewritten(sample("mov"), ["moov", "trak", "mdia", "minf", "dinf", "dref"], () => {
    const path = Buffer.from(place);
    const name = Buffer.alloc(64);
    path.copy(name, 1, 0, 63);
    // An alias has 150 bytes followed by a list of names by kind; 2 is the path (Inside Macintosh: Files, 4).
    const alias = Buffer.concat([
      Buffer.alloc(150),
      Buffer.from([0, 2, 0, path.length]),
      path,
      Buffer.from("ffff0000", "hex"),
    ]);
    const entry = box(kind, words(0), kind === "url " ? Buffer.concat([path, Buffer.alloc(1)]) : alias);
    return Buffer.concat([words(0, 1), entry]);
  });

const referenceMovie = (place: string): Buffer => {
  const path = Buffer.from(`${place}\0`);
  const reference = box("rdrf", words(0), Buffer.from("url "), words(path.length), path);
  return Buffer.concat([box("ftyp", Buffer.from("qt  "), words(0)), box("moov", box("rmra", box("rmda", reference)))]);
};

/** A picture of type `-->` is an address (id3.org, ID3v2.4, 4.14). */
const linkedCover = (place: string): Buffer => {
  const frame = Buffer.from(`\0-->\0\u0003\0${place}`, "latin1");
  const tag = Buffer.concat([Buffer.from("APIC"), words(frame.length), Buffer.alloc(2), frame]);
  const head = Buffer.concat([
    Buffer.from("ID3\u0003\0\0\0\0", "latin1"),
    Buffer.from([tag.length >> 7, tag.length & 0x7f]),
  ]);
  return Buffer.concat([head, tag, sample("mp3")]);
};

/** Names of the previous and next segments, and an ordered edition with a chapter in another segment. */
const linkedSegment = (place: string): Buffer =>
  resegmented(sample("mkv"), (elements) =>
    elements.map(({ id, content, raw }) =>
      id === EBML.info
        ? Buffer.concat([
            element(
              EBML.info,
              content,
              element("3c83ab", place),
              element("3e83bb", place),
              element("3eb923", "1".repeat(16)),
            ),
            element(
              "1043a770",
              element(
                "45b9",
                element("45dd", 1),
                element("b6", element("73c4", 1), element("91", 0), element("6e67", "1".repeat(16))),
              ),
            ),
          ])
        : raw,
    ),
  );

const attached = (place: string): Buffer =>
  resegmented(sample("mkv"), (elements) => [
    ...elements.map(({ raw }) => raw),
    element(
      "1941a469",
      ...[place, "../../../../../../tmp/anyform-attached"].map((name, index) =>
        element(
          "61a7",
          element("466e", name),
          element("4660", "font/ttf"),
          element("465c", "x"),
          element("46ae", index + 1),
        ),
      ),
    ),
  ]);

/** A video whose subtitles refer to fonts and pictures by path; the target burns them in. */
const styled = (place: string): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "anyform-styled-"));
  try {
    const script = `[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,${place},20\n\n[Fonts]\nfontname: ${place}\n\n[Events]\nFormat: Start, End, Style, Text\nDialogue: 0:00:00.00,0:00:02.00,Default,{\\fn${place}}{\\img(${place})}{\\1img(${place})}A\n`;
    writeFileSync(join(folder, "a.ass"), script);
    writeFileSync(join(folder, "a.mkv"), sample("mkv"));
    const streams = ["-map", "0:v", "-map", "1:s", "-c:v", "copy", "-c:s", "ass", "b.mkv"];
    execFileSync("ffmpeg", ["-v", "error", "-i", "a.mkv", "-f", "ass", "-i", "a.ass", ...streams], { cwd: folder });
    return readFileSync(join(folder, "b.mkv"));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
