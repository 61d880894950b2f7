import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { extensionOf, type FormatId } from "../../../functions/domain/formats/formats.ts";
import { ffmpegEngine } from "../../../functions/engines/media/ffmpeg.ts";
import { codeOf, convertingBySharp } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, taskOf } from "../support/task.ts";
import { viewByMagick } from "../support/views.ts";

const scratch = scratchFolder();
const convert = convertingBy("ffmpeg", scratch);

/** A recording made by ffmpeg: a color with a tone. */
const made = (name: string, ...args: readonly string[]): string => {
  const path = scratch.path(name);
  execFileSync("ffmpeg", ["-v", "error", "-y", ...args, path]);
  return path;
};

const film = (name: string, color: string, size: string, ...sound: readonly string[]): string =>
  made(name, "-f", "lavfi", "-i", `color=${color}:s=${size}:r=20:d=2`, ...sound, "-pix_fmt", "yuv420p");

const TONE = ["-f", "lavfi", "-i", "sine=440:d=2:sample_rate=44100"];

interface Probe {
  readonly streams: readonly Readonly<Record<string, unknown>>[];
  readonly format: { readonly duration: string };
}

const probed = (path: string): Probe =>
  JSON.parse(execFileSync("ffprobe", ["-v", "error", "-show_streams", "-show_format", "-of", "json", path]).toString());

/** @returns the color of the middle of a film at a time */
const colorAt = (path: string, seconds: number): number[] => [
  ...execFileSync("ffmpeg", [
    ...["-v", "error", "-ss", `${seconds}`, "-i", path, "-frames:v", "1", "-vf", "scale=1:1,format=rgb24"],
    ...["-f", "rawvideo", "-"],
  ]),
];

const joined = async (files: readonly [string, FormatId][], to: FormatId, options: Options = {}): Promise<string> => {
  const [[input, from] = ["", to] as const, ...others] = files;
  const further = others.map(([path, format]) => ({ path, from: format }));
  const output = `${scratch.fresh()}.${extensionOf(to)}`;
  await ffmpegEngine.convert(taskOf({ input, output, from, to, options, further }, scratch.folder));
  return output;
};

describe("films", () => {
  test("of different codecs, sizes and sound follow each other", async () => {
    const red = film("red.mp4", "red", "160x120", ...TONE);
    const blue = film("blue.webm", "blue", "120x120", "-c:v", "libvpx-vp9");
    const output = await joined(
      [
        [red, "mp4"],
        [blue, "webm"],
        [red, "mp4"],
      ],
      "mp4",
    );
    const { streams, format } = probed(output);
    expect(streams).toMatchObject([
      { codec_name: "h264", width: 160, height: 120 },
      { codec_name: "aac", sample_rate: "44100" },
    ]);
    expect(Math.abs(Number(format.duration) - 6)).toBeLessThan(0.3);
    const [first, second, third] = [1, 3, 5].map((at) => colorAt(output, at));
    expect([first?.[0], third?.[0]].every((value) => (value ?? 0) > 200)).toBe(true);
    expect(second?.[2]).toBeGreaterThan(150);
  });

  test("without video are refused with the number of the file", async () => {
    const sound = made("tone.mka", ...TONE);
    const files: [string, FormatId][] = [
      [film("red2.mp4", "red", "64x64"), "mp4"],
      [sound, "mkv"],
    ];
    await expect(joined(files, "mp4")).rejects.toThrow(/^File 2: .* no video/);
  });
});

test("sounds of different formats follow each other", async () => {
  const tone = made("tone.mp3", ...TONE);
  const mono = made("low.wav", "-f", "lavfi", "-i", "sine=220:d=3:sample_rate=8000");
  const { streams, format } = probed(
    await joined(
      [
        [tone, "mp3"],
        [mono, "wav"],
      ],
      "flac",
    ),
  );
  expect(streams).toMatchObject([{ codec_name: "flac", sample_rate: "44100" }]);
  expect(Math.abs(Number(format.duration) - 5)).toBeLessThan(0.2);
});

/** @returns the integrated loudness in LUFS, as measured by the filter ebur128 */
const loudnessOf = (path: string): number => {
  const run = ["-hide_banner", "-nostats", "-i", path, "-filter_complex", "ebur128", "-f", "null", "-"];
  const text = execFileSync("sh", ["-c", `ffmpeg ${run.join(" ")} 2>&1`]).toString();
  // A filter that is set up twice prints two summaries.
  return Number([...text.matchAll(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/g)].at(-1)?.[1]);
};

describe("loudness", () => {
  const quiet = (name: string): string =>
    made(name, "-f", "lavfi", "-i", "sine=1000:d=6:sample_rate=44100", "-af", "volume=-30dB", "-ac", "2");

  test.each([-23, -14])("of sound becomes %d LUFS", async (loudness) => {
    const input = quiet(`quiet${loudness}.wav`);
    expect(loudnessOf(input)).toBeLessThan(-45);
    const { path } = await convert(input, ["wav", "mp3"], { loudness });
    expect(Math.abs(loudnessOf(path) - loudness)).toBeLessThan(1);
    expect(probed(path).streams).toMatchObject([{ sample_rate: "44100" }]);
  });

  test("of a film changes while its video is copied", async () => {
    const input = made("film.mp4", "-i", film("green.mp4", "green", "64x64"), "-i", quiet("quiet.wav"), "-c:v", "copy");
    const { path } = await convert(input, ["mp4", "mkv"], { loudness: -20 });
    expect(Math.abs(loudnessOf(path) + 20)).toBeLessThan(1);
    expect(probed(path).streams[0]).toMatchObject({ codec_name: "h264" });
  });

  test("that the peaks do not allow is reported, and no sample clips", async () => {
    const clicks = "aevalsrc=0.9*lt(mod(t\\,1)\\,0.002)+0.01*sin(440*2*PI*t):d=4:s=44100";
    const input = made("clicks.wav", "-f", "lavfi", "-i", clicks);
    const { path, codes } = await convert(input, ["wav", "flac"], { loudness: -10 });
    expect(codes).toContain("peaks_limited");
    const run = ["-hide_banner", "-nostats", "-i", path, "-af", "volumedetect", "-f", "null", "-"];
    const text = execFileSync("sh", ["-c", `ffmpeg ${run.join(" ")} 2>&1`]).toString();
    expect(Number(/max_volume: (-?[\d.]+) dB/.exec(text)?.[1])).toBeLessThan(-0.5);
  });

  test("of silence stays silence", async () => {
    const input = made("silence.wav", "-f", "lavfi", "-i", "anullsrc=d=2");
    const { path } = await convert(input, ["wav", "flac"], { loudness: -20 });
    expect(Math.abs(Number(probed(path).format.duration) - 2)).toBeLessThan(0.1);
  });
});

describe("a contact sheet", () => {
  test.each(["jpg", "png"] as const)("of a film as %s has its frames in rows, in time", async (to) => {
    const [red, blue] = [film("sheet-red.mp4", "red", "160x120"), film("sheet-blue.mp4", "blue", "160x120")];
    const input = await joined(
      [
        [red, "mp4"],
        [blue, "mp4"],
      ],
      "mp4",
    );
    const { path } = await convert(input, ["mp4", to], { frames: 4, columns: 2, width: 80 });
    const { width, height, pixels } = await viewByMagick(path, to);
    expect([width, height]).toEqual([2 * 80 + 12, 2 * 60 + 12]);
    const at = (x: number, y: number) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
    expect(at(44, 34)[0]).toBeGreaterThan(200);
    expect(at(44, 100)[2]).toBeGreaterThan(200);
  });

  test("of images has a cell for each, and none is distorted", async () => {
    const bySharp = convertingBySharp(scratch);
    const tall = (await bySharp(sampleOf("png"), "png", "png", { rotate: 90 })).path;
    const further = [
      { path: tall, from: "png" as const },
      { path: sampleOf("jpg"), from: "jpg" as const },
    ];
    const { sharpEngine } = await import("../../../functions/engines/pictures/sharp.ts");
    const output = join(scratch.folder, "sheet.png");
    const options = { columns: 2, width: 96, background: "#000" };
    await sharpEngine.convert(
      taskOf({ input: sampleOf("png"), output, from: "png", to: "png", options, further }, scratch.folder),
    );
    const { width, height, pixels } = await viewByMagick(output, "png");
    expect([width, height]).toEqual([2 * 96 + 12, 2 * 64 + 12]);
    const at = (x: number, y: number) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
    // The rotated image is 43 pixels wide in the middle of its cell of 96.
    expect(at(108, 36)).toEqual([0, 0, 0]);
    expect(at(152, 20)).not.toEqual([0, 0, 0]);
    expect(at(150, 100)).toEqual([0, 0, 0]);
  });
});

test("a time past the end, and a sheet of sound, are refused", async () => {
  expect(await codeOf(convert(sampleOf("mp3"), ["mp3", "png"], { frames: 4 }))).toBe("unsupported_feature");
});
