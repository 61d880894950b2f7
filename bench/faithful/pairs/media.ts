import { ffmpeg } from "../references/reference.ts";
import { type Pair, pairsOf } from "./pair.ts";

/** Sound, films and subtitles. */

const sound = { kind: "sound", reference: ffmpeg } as const;
const film = { kind: "film", reference: ffmpeg } as const;
const cues = { kind: "cues", reference: ffmpeg } as const;

export const mediaPairs: readonly Pair[] = [
  ...pairsOf(["wav", "flac", "m4a", "ogg", "aiff", "wma"], ["mp3"], sound),
  ...pairsOf(["mp3", "flac"], ["wav"], sound),
  ...pairsOf(["wav"], ["flac", "m4a", "ogg"], sound),
  ...pairsOf(["mp4"], ["mp3"], sound),
  ...pairsOf(["mov", "mkv", "webm", "avi", "gif"], ["mp4"], film),
  ...pairsOf(["mp4"], ["webm"], film),
  ...pairsOf(["mp4"], ["gif"], { ...film, ignores: ["sound"] }),
  ...pairsOf(["srt"], ["vtt", "ass"], cues),
  ...pairsOf(["vtt", "ass"], ["srt"], cues),
];
