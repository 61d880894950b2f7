import { TEXT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { type EngineTask, rowFor } from "../../core/engine.ts";
import { readInput } from "../../core/input.ts";
import { decodeText } from "../../data/text/text.ts";
import { declaredEncoding } from "../../data/text/xml.ts";
import { readAss } from "./ass.ts";
import type { Reader } from "./codec.ts";
import { checkedTimes, type Subtitles } from "./cue.ts";
import { readMicroDvd, readMpl2 } from "./frames.ts";
import { readLrc } from "./lrc.ts";
import { type Notes, newNotes } from "./notes.ts";
import { readSbv } from "./sbv.ts";
import { readSrt } from "./srt.ts";
import { readTtml } from "./ttml.ts";
import { readVtt } from "./vtt.ts";

/** @throws JobError `source_corrupt` for a file without subtitles */
export const readSubtitles = async (
  { input, from, options }: Pick<EngineTask, "from" | "input" | "options">,
  notes: Notes = newNotes(),
): Promise<Subtitles> => {
  const read = rowFor(READERS, from, "subtitles");
  const subtitles = checkedTimes(read(await textOf(input, options), { notes }));
  if (subtitles.cues.length === 0) {
    throw new JobError("source_corrupt", `The file has no subtitles in ${formatOf(from).name} format.`);
  }
  return subtitles;
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

const textOf = async (input: string, { encoding }: EngineTask["options"]): Promise<string> => {
  const bytes = await readInput(input, { max: TEXT_BYTES_MAX, name: "text" });
  return decodeText(bytes, encoding ?? declaredEncoding(bytes)).text;
};
