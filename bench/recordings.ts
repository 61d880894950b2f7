import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Recordings of the benchmark, made by ffmpeg so that everyone measures the same. */

const run = promisify(execFile);

export const QUIET = ["-nostdin", "-v", "error", "-y"] as const;

/** Makes a WAV of two changing tones. */
export const makeTone = async (path: string, seconds: number): Promise<string> => {
  const tones = `aevalsrc=sin(440*2*PI*t)*sin(t)|sin(660*2*PI*t):d=${seconds}:s=44100`;
  await run("ffmpeg", [...QUIET, "-f", "lavfi", "-i", tones, path]);
  return path;
};

/** Makes a film of a test picture, H.264 and AAC, 1280 × 720, 30 pictures a second. */
export const makeClip = async (path: string, seconds: number): Promise<string> => {
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=1280x720:rate=30:duration=${seconds}`];
  const sound = ["-f", "lavfi", "-i", `sine=duration=${seconds}`];
  const codecs = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  await run("ffmpeg", [...QUIET, ...picture, ...sound, ...codecs, path]);
  return path;
};
