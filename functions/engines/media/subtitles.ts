import { writeFile } from "node:fs/promises";
import type { FormatId } from "../../domain/formats/formats.ts";
import { type Engine, rowFor } from "../core/engine.ts";
import { writeAss } from "./subtitles/ass-writer.ts";
import type { Writer } from "./subtitles/codec.ts";
import type { Subtitles } from "./subtitles/cue.ts";
import { writeLrc } from "./subtitles/lrc.ts";
import { type Notes, newNotes } from "./subtitles/notes.ts";
import { writeCueCsv, writeCueJson, writeTranscript } from "./subtitles/plain.ts";
import { readSubtitles } from "./subtitles/read.ts";
import { writeSbv } from "./subtitles/sbv.ts";
import { writeSrt } from "./subtitles/srt.ts";
import { writeTtml } from "./subtitles/ttml-writer.ts";
import { writeVtt } from "./subtitles/vtt.ts";

/** Subtitles through a common model: cues with times in milliseconds, styles, positions and speakers. */
export const subtitlesEngine: Engine = {
  name: "subtitles",
  version: async () => process.version,
  convert: async ({ input, output, from, to, options }) => {
    const target = rowFor(WRITERS, to, "subtitles");
    const notes = newNotes();
    const subtitles = await readSubtitles({ input, from, options }, notes);
    noteLosses(subtitles, target, notes);
    await writeFile(output, target.write(subtitles));
    return { warnings: notes.warnings() };
  },
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
