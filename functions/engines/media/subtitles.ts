import { writeFile } from "node:fs/promises";
import { TEXT_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import { type Engine, type EngineTask, rowFor } from "../core/engine.ts";
import { readInput } from "../core/input.ts";
import { decodeText } from "../data/text/text.ts";
import { declaredEncoding } from "../data/text/xml.ts";
import { readAss } from "./subtitles/ass.ts";
import { writeAss } from "./subtitles/ass-writer.ts";
import type { Reader, Writer } from "./subtitles/codec.ts";
import { checkedTimes, type Subtitles } from "./subtitles/cue.ts";
import { readMicroDvd, readMpl2 } from "./subtitles/frames.ts";
import { readLrc, writeLrc } from "./subtitles/lrc.ts";
import { type Notes, newNotes } from "./subtitles/notes.ts";
import { writeCueCsv, writeCueJson, writeTranscript } from "./subtitles/plain.ts";
import { readSbv, writeSbv } from "./subtitles/sbv.ts";
import { readSrt, writeSrt } from "./subtitles/srt.ts";
import { readTtml } from "./subtitles/ttml.ts";
import { writeTtml } from "./subtitles/ttml-writer.ts";
import { readVtt, writeVtt } from "./subtitles/vtt.ts";

/** Subtitles through a common model: cues with times in milliseconds, styles, positions and speakers. */
export const subtitlesEngine: Engine = {
  name: "subtitles",
  version: async () => process.version,
  convert: async ({ input, output, from, to, options }) => {
    const [read, target] = [rowFor(READERS, from, "subtitles"), rowFor(WRITERS, to, "subtitles")];
    const notes = newNotes();
    const subtitles = checkedTimes(read(await textOf(input, options), { notes }));
    if (subtitles.cues.length === 0) {
      throw new JobError("source_corrupt", `The file has no subtitles in ${formatOf(from).name} format.`);
    }
    noteLosses(subtitles, target, notes);
    await writeFile(output, target.write(subtitles));
    return { warnings: notes.warnings() };
  },
};

const READERS: Partial<Record<FormatId, Reader>> = {
  srt: readSrt,
  vtt: readVtt,
  ssa: readAss,
  ass: readAss,
  sbv: readSbv,
  ttml: readTtml,
  lrc: readLrc,
  sub: readMicroDvd,
  mpl: readMpl2,
};

interface Target {
  readonly write: Writer;
  /** What the format can store in addition to times and text. */
  readonly keeps: readonly Extra[];
}

type Extra = "title" | "place" | "speaker";

const WRITERS: Partial<Record<FormatId, Target>> = {
  srt: { write: writeSrt, keeps: ["place"] },
  vtt: { write: writeVtt, keeps: ["title", "place", "speaker"] },
  ass: { write: writeAss, keeps: ["title", "place", "speaker"] },
  sbv: { write: writeSbv, keeps: [] },
  ttml: { write: writeTtml, keeps: ["title", "place"] },
  lrc: { write: writeLrc, keeps: ["title"] },
  txt: { write: writeTranscript, keeps: ["speaker"] },
  json: { write: writeCueJson, keeps: ["speaker"] },
  csv: { write: writeCueCsv, keeps: ["speaker"] },
};

/** Records what the target cannot store. */
const noteLosses = ({ title, cues }: Subtitles, { keeps }: Target, notes: Notes): void => {
  const missing = (extra: Extra, count: number): number => (keeps.includes(extra) ? 0 : count);
  notes.add("title_dropped", missing("title", title === undefined ? 0 : 1));
  notes.add("positions_dropped", missing("place", cues.filter(({ place }) => place !== undefined).length));
  notes.add("speakers_dropped", missing("speaker", cues.filter(({ speaker }) => speaker !== undefined).length));
};

const textOf = async (input: string, { encoding }: EngineTask["options"]): Promise<string> => {
  const bytes = await readInput(input, { max: TEXT_BYTES_MAX, name: "text" });
  return decodeText(bytes, encoding ?? declaredEncoding(bytes)).text;
};
