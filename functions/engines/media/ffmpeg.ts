import type { Engine } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { encoded } from "./ffmpeg/encode.ts";
import { inputOf } from "./ffmpeg/input.ts";
import { joinRecordings } from "./ffmpeg/join.ts";
import { writeSheet } from "./ffmpeg/sheet.ts";
import { convertStill, isStill } from "./ffmpeg/still.ts";
import { writeBurned } from "./films/burned.ts";
import { writeHls } from "./films/hls.ts";
import { writeFitting } from "./films/target-size.ts";

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
  convert: async (task) => {
    if (task.further.length > 0) {
      return joinRecordings(task);
    }
    if (isStill(task)) {
      return convertStill(task);
    }
    const input = await inputOf(task);
    if (task.options.frames !== undefined) {
      return writeSheet(task, input);
    }
    const extra = { isBurned: await writeBurned(task) };
    if (task.to === "zip") {
      return writeHls(task, input, extra);
    }
    return task.options.target_size === undefined ? encoded(task, input, extra) : writeFitting(task, input, extra);
  },
};

const VERSION_MS_MAX = 10_000;
