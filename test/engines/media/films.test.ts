import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { OptionFiles } from "../../../functions/engines/core/engine.ts";
import { ffmpegEngine } from "../../../functions/engines/media/ffmpeg.ts";
import { unzip, zipContent, zipNames } from "../../support/zip.ts";
import { codeOf } from "../support/convert.ts";
import { probed } from "../support/processes/listen.ts";
import { scratchFolder } from "../support/scratch.ts";
import { isInstalled, taskOf } from "../support/task.ts";

/** Films of a size, for streaming, and with uploaded subtitles. */

const scratch = scratchFolder();
const SECONDS = 14;
let film = "";

const convert = async (to: "mp4" | "zip", options: Options, optionFiles: OptionFiles = {}) => {
  const output = `${scratch.fresh()}.${to}`;
  const task = taskOf({ input: film, output, from: "mp4", to, options, optionFiles }, scratch.folder);
  const { warnings } = await ffmpegEngine.convert(task);
  return { output, codes: warnings.map(({ code }) => code) };
};

describe.skipIf(!isInstalled("ffmpeg"))("films", () => {
  beforeAll(() => {
    film = `${scratch.fresh()}.mp4`;
    const inputs = ["-f", "lavfi", "-i", `testsrc2=size=320x240:rate=25:duration=${SECONDS}`];
    const sound = ["-f", "lavfi", "-i", `sine=frequency=440:duration=${SECONDS}`];
    const noise = ["-vf", "noise=alls=10:allf=t", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast"];
    execFileSync("ffmpeg", ["-v", "error", ...inputs, ...sound, ...noise, "-c:a", "aac", film]);
  });

  test.each([600_000, 150_000])("fit %i bytes with their complete duration", async (target_size) => {
    const { output, codes } = await convert("mp4", { target_size });
    expect(statSync(output).size).toBeLessThanOrEqual(target_size);
    expect(statSync(output).size).toBeGreaterThan(0.5 * target_size);
    expect(Math.abs(probed(output).seconds - SECONDS)).toBeLessThan(0.3);
    expect(codes).toEqual([]);
  });

  test("that fit are copied, and those that cannot be as small are as small as possible, with a warning", async () => {
    const { output } = await convert("mp4", { target_size: 1_000_000_000 });
    expect(statSync(output).size).toBeGreaterThan(0.9 * statSync(film).size);
    expect((await convert("mp4", { target_size: 10_000 })).codes).toContain("target_size_missed");
  });

  test("become an HLS package that players read, in one size", async () => {
    const { output } = await convert("zip", {});
    expect(zipNames(output).slice(0, 3)).toEqual(["master.m3u8", "0/playlist.m3u8", "0/segment-0000.ts"]);
    const folder = scratch.fresh();
    unzip(output, folder);
    const probe = ["-v", "error", "-show_entries", "format=duration:stream=codec_name", "-of", "csv=p=0"];
    const found = execFileSync("ffprobe", [...probe, join(folder, "master.m3u8")], { encoding: "utf8" });
    expect(found).toMatch(/h264[\s\S]*aac/);
    expect(Math.abs(Number(found.trim().split("\n").at(-1)) - SECONDS)).toBeLessThan(0.3);
  });

  test("become an HLS package in several sizes with segments of the same times", async () => {
    const { output } = await convert("zip", { sizes: "320,160x120" });
    const read = (path: string) => zipContent(output, path).toString();
    expect(read("master.m3u8")).toMatch(/RESOLUTION=320x240[\s\S]*RESOLUTION=160x120/);
    const times = (path: string) => read(path).match(/#EXTINF:\d+\.\d/g);
    expect(times("0/playlist.m3u8")).toEqual(times("1/playlist.m3u8"));
    expect(times("0/playlist.m3u8")).toHaveLength(3);
  });

  test("have uploaded subtitles in their frames, at the times of the part", async () => {
    const path = scratch.file("1\n00:00:05,000 --> 00:00:08,000\nHELLO WORLD\n");
    const file = { path, from: "srt", name: "a.srt" } as const;
    const trimmed = { trim_start: 4, trim_end: 10 } as const;
    const [burned, plain] = await Promise.all([
      convert("mp4", trimmed, { subtitles_upload_id: file }),
      convert("mp4", trimmed),
    ]);
    const bottom = (film: string, at: number) =>
      execFileSync("ffmpeg", [
        ...["-v", "error", "-ss", String(at), "-i", film, "-frames:v", "1"],
        ...["-vf", "crop=200:40:60:195,format=gray", "-f", "rawvideo", "-"],
      ]);
    const difference = (at: number) => {
      const [one, other] = [bottom(burned.output, at), bottom(plain.output, at)];
      return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
    };
    expect(difference(2)).toBeGreaterThan(3 * difference(5));
  });

  test("with subtitles that are none are rejected", async () => {
    const file = { path: scratch.file("nothing"), from: "srt", name: "a.srt" } as const;
    expect(await codeOf(convert("mp4", {}, { subtitles_upload_id: file }))).toBe("source_corrupt");
  });
});
