import type { Engine } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { encoded } from "./ffmpeg/encode.ts";
import { inputOf } from "./ffmpeg/input.ts";
import { convertStill, isStill } from "./ffmpeg/still.ts";

/** Audio and video by the system's ffmpeg. */
export const ffmpegEngine: Engine = {
  name: "ffmpeg",
  version: async () => {
    const { stdout } = await runProgram({
      program: "ffmpeg",
      arguments: ["-version"],
      folder: "/",
      timeoutMs: VERSION_MS_MAX,
    });
    return /version (\S+)/.exec(stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: async (task) => (isStill(task) ? convertStill(task) : encoded(task, await inputOf(task))),
};

const VERSION_MS_MAX = 10_000;
