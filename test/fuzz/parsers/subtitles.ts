import { readAss } from "../../../functions/engines/media/subtitles/ass.ts";
import { writeAss } from "../../../functions/engines/media/subtitles/ass-writer.ts";
import type { Reader, Writer } from "../../../functions/engines/media/subtitles/codec.ts";
import { type Cue, checkedTimes } from "../../../functions/engines/media/subtitles/cue.ts";
import { readLrc, writeLrc } from "../../../functions/engines/media/subtitles/lrc.ts";
import { newNotes } from "../../../functions/engines/media/subtitles/notes.ts";
import { isPlace } from "../../../functions/engines/media/subtitles/override.ts";
import { writeCueCsv, writeCueJson, writeTranscript } from "../../../functions/engines/media/subtitles/plain.ts";
import { readSbv, writeSbv } from "../../../functions/engines/media/subtitles/sbv.ts";
import { readSrt, writeSrt } from "../../../functions/engines/media/subtitles/srt.ts";
import { readTtml } from "../../../functions/engines/media/subtitles/ttml.ts";
import { writeTtml } from "../../../functions/engines/media/subtitles/ttml-writer.ts";
import { readVtt, writeVtt } from "../../../functions/engines/media/subtitles/vtt.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { broken, type Parser } from "../parser.ts";

interface Format {
  readonly name: string;
  readonly extension: string;
  readonly read: Reader;
  readonly words: readonly string[];
}

const TIMES = [
  "00:00:01,000 --> 00:00:02,000",
  "99:59:59.999",
  "-->",
  "00:01.5",
  "<i>",
  "</b>",
  '<font color="#ff0000">',
];

const FORMATS: readonly Format[] = [
  { name: "srt", extension: "srt", read: readSrt, words: [...TIMES, "{\\an8}", "{\\c&H00ff00&}", "\n\n2\n"] },
  {
    name: "vtt",
    extension: "vtt",
    read: readVtt,
    words: [
      ...TIMES,
      "WEBVTT",
      "NOTE",
      "STYLE",
      "REGION",
      "<c.red>",
      "<v Ann>",
      "<00:00:01.000>",
      "align:start",
      "&amp;",
    ],
  },
  {
    name: "ass",
    extension: "ass",
    read: readAss,
    words: ["[Events]", "Format:", "Dialogue: 0,0:00:01.00,0:00:02.00,", "Style:", "{\\p1}", "{\\t(", ")}", "\\N", ","],
  },
  { name: "sbv", extension: "sbv", read: readSbv, words: ["0:00:01.000,0:00:02.000", "\n\n", ","] },
  {
    name: "ttml",
    extension: "ttml",
    read: readTtml,
    words: [
      "<p",
      ' begin="1s"',
      ' end="00:00:02:05"',
      "<br/>",
      "<span",
      ' style="a"',
      "</span>",
      ' tts:color="red"',
      "<!--",
      "<![CDATA[",
    ],
  },
  { name: "lrc", extension: "lrc", read: readLrc, words: ["[00:01.00]", "<00:01.00>", "[offset:-500]", "[ti:"] },
];

const WRITERS: readonly Writer[] = [
  writeSrt,
  writeVtt,
  writeAss,
  writeSbv,
  writeTtml,
  writeLrc,
  writeTranscript,
  writeCueCsv,
];

/** Times are numbers, every format can write them, and WebVTT, which can write any text, preserves the cues. */
const holding =
  (read: Reader) =>
  (input: Buffer): void => {
    const context = { notes: newNotes() };
    const subtitles = checkedTimes(read(input.toString(), context));
    const lost = subtitles.cues.find(({ place = 2 }) => !isPlace(place));
    if (lost !== undefined) {
      throw broken("A cue is within the picture", lost);
    }
    for (const write of WRITERS) {
      write(subtitles);
    }
    const shown = subtitles.cues.filter(({ start, end }) => start < end);
    const again = readVtt(writeVtt({ ...subtitles, cues: shown }), context).cues;
    if (timesOf(again) !== timesOf(shown)) {
      throw broken("WebVTT preserves the cues", [shown.length, again.length]);
    }
    JSON.parse(writeCueJson(subtitles));
  };

const timesOf = (cues: readonly Cue[]): string => JSON.stringify(cues.map(({ start, end }) => [start, end]));

export const subtitleParsers: readonly Parser[] = FORMATS.map(({ name, extension, read, words }) => ({
  name,
  sources: [extension, "markup", "blocks", "override", "times", "colors", "cue"].map(
    (file) => `functions/engines/media/subtitles/${file}`,
  ),
  samples: () => [sample(extension)],
  words,
  hold: holding(read),
}));
