import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { secondsOf } from "../../../domain/conversions/media-times.ts";
import type { EngineTask } from "../../core/engine.ts";
import { BURNED } from "../ffmpeg/task.ts";
import { writeAss } from "../subtitles/ass-writer.ts";
import type { Cue } from "../subtitles/cue.ts";
import { readSubtitles } from "../subtitles/read.ts";

/**
 * Writes the uploaded subtitles where the encoder burns them in, with times from the start of the requested part.
 *
 * @returns whether there are any
 * @throws JobError `source_corrupt` for a file without subtitles
 */
export const writeBurned = async ({ optionFiles, options, folder }: EngineTask): Promise<boolean> => {
  const file = optionFiles.subtitles_upload_id;
  if (file === undefined) {
    return false;
  }
  const subtitles = await readSubtitles({ input: file.path, from: file.from, options: {} });
  const start = 1_000 * (secondsOf(options.trim_start) ?? 0);
  const cues = subtitles.cues.filter(({ end }) => end > start).map((cue) => moved(cue, start));
  await writeFile(join(folder, BURNED), writeAss({ ...subtitles, cues }), { flag: "wx" });
  return true;
};

const moved = (cue: Cue, start: number): Cue => ({
  ...cue,
  start: Math.max(0, cue.start - start),
  end: cue.end - start,
});
