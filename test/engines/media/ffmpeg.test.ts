import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { AUDIO_SECONDS_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import { jobErrors } from "../../../functions/domain/errors/job-errors.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { runFfmpeg } from "../../../functions/engines/media/ffmpeg/run.ts";
import { ffmpegEngine } from "../../../functions/engines/media/ffmpeg.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import {
  BAR_PIXELS_A_SECOND,
  FILM_HEIGHT,
  FILM_WIDTH,
  MEDIA_CHAPTERS,
  MEDIA_TAGS,
  TONE_LEFT_HZ,
} from "../support/media.ts";
import { colorAt, frameAt, loudness, probed, samplesOf } from "../support/processes/listen.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled, taskOf } from "../support/task.ts";

/** Audio and video by ffmpeg, if installed. */

const scratch = scratchFolder();
const convert = convertingBy("ffmpeg", scratch);

const films = (path: string) => probed(path).streams.filter(({ kind }) => kind === "video");
const sounds = (path: string) => probed(path).streams.filter(({ kind }) => kind === "audio");

/** @returns the sum of all samples, decoded without change */
const samplesHash = (path: string): string =>
  execFileSync("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-c:a", "pcm_s24le", "-f", "md5", "-"], {
    encoding: "utf8",
  });

/** @returns the sum of the audio packets, which encoding again changes */
const packetsHash = (path: string): string =>
  execFileSync("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "md5", "-"], {
    encoding: "utf8",
  });

describe.skipIf(!isInstalled("ffmpeg"))("ffmpeg", () => {
  test.each(["jpg", "png", "gif"] as const)("takes the frame of a video with one frame as %s", async (to) => {
    const input = `${scratch.fresh()}.mp4`;
    const source = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=1/3", "-frames:v", "1", "-pix_fmt", "yuv420p"];
    execFileSync("ffmpeg", ["-v", "error", ...source, input]);
    const { path } = await convert(input, ["mp4", to]);
    expect(await sharp(path).metadata()).toMatchObject({ width: 64, height: 48 });
  });

  test("fails when the disk is full, although ffmpeg exits with 0", async () => {
    const ran = runFfmpeg({
      arguments: ["-y", "-i", `file:${sampleOf("wav")}`, "-f", "wav", "file:/dev/full"],
      folder: tmpdir(),
      secondsMax: 60,
    });
    expect(await codeOf(ran)).toBe("engine_failed");
  });

  describe("videos", () => {
    test("are remuxed packet by packet, with the index before the media data", async () => {
      const { path, codes } = await convert(sampleOf("mov"), ["mov", "mp4"]);
      const packets = ({ streams }: ReturnType<typeof probed>) =>
        streams.map(({ codec, packets }) => `${codec} ${packets}`);
      expect(packets(probed(path))).toEqual(packets(probed(sampleOf("mov"))));
      const bytes = readFileSync(path);
      expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
      expect(codes).toEqual([]);
    });

    test("in HEVC get the tag that Apple players require", async () => {
      const { path } = await convert(fixture("hevc-in-band.mp4"), ["mp4", "mov"]);
      expect(films(path)).toMatchObject([{ codec: "hevc", tag: "hvc1" }]);
    });

    test.each<[string, FormatId]>([
      ["deep-film.mp4", "mp4"],
      ["odd-sides.mkv", "mkv"],
      ["pcm.mov", "mov"],
    ])("with rare codecs are converted to common ones: %s", async (name, from) => {
      const { path } = await convert(fixture(name), [from, "mp4"]);
      const [film] = films(path);
      expect(film).toMatchObject({ codec: "h264", pixels: "yuv420p" });
      expect([film?.width, film?.height].map((side = 1) => side % 2)).toEqual([0, 0]);
    });

    test.each(["smpte2084", "arib-std-b67"])(
      "in HDR (%s) become H.264 in 8 bits with the colors of BT.709",
      async (transfer) => {
        const path = scratch.path(`${transfer}.mkv`);
        const params = `log-level=error:repeat-headers=1:transfer=${transfer}`;
        const bars = ["-f", "lavfi", "-i", "color=red:s=128x96:r=10:d=1,format=yuv420p10le"];
        execFileSync("ffmpeg", ["-v", "error", "-y", ...bars, "-c:v", "libx265", "-x265-params", params, path]);
        const made = await convert(path, ["mkv", "mp4"]);
        const entries = "stream=codec_name,pix_fmt,color_transfer,color_primaries,color_space";
        const shown = execFileSync("ffprobe", ["-v", "error", "-of", "csv=p=0", "-show_entries", entries, made.path], {
          encoding: "utf8",
        });
        expect(shown.trim()).toBe("h264,yuv420p,bt709,bt709,bt709");
        expect(made.codes).toEqual(["tones_mapped"]);
        const [red = 0, green = 255, blue = 255] = colorAt(frameAt(made.path, 0.5), 0.5, 0.5);
        expect(red).toBeGreaterThan(2 * Math.max(green, blue));
      },
    );

    test("that are rotated are upright, whether copied or encoded", async () => {
      for (const to of ["mp4", "webm"] as const) {
        const { path } = await convert(fixture("sideways.mov"), ["mov", to]);
        const size = { width: FILM_HEIGHT, height: FILM_WIDTH };
        const [left, right] = [0.25, 0.75].map((across) => colorAt(frameAt(path, 1, size), across, 0.15));
        const own = frameAt(fixture("sideways.mov"), 1, size);
        expect(colorDistance(left, colorAt(own, 0.25, 0.15))).toBeLessThan(60);
        expect(colorDistance(right, colorAt(own, 0.75, 0.15))).toBeLessThan(60);
      }
    });

    test("keep frame count and timestamps at a variable frame rate", async () => {
      const { path } = await convert(fixture("variable-rate.mp4"), ["mp4", "mp4"], { crf: 30 });
      const own = films(fixture("variable-rate.mp4"))[0]?.packets ?? 0;
      expect(Math.abs((films(path)[0]?.packets ?? 0) - own)).toBeLessThanOrEqual(1);
      expect(probed(path).seconds).toBeCloseTo(probed(fixture("variable-rate.mp4")).seconds, 0);
    });

    test("get the requested size, frame rate, rotation and part", async () => {
      const options = { width: 64, fps: 10, rotate: 90, trim_start: 0.5, trim_end: "0:01.5" } as const;
      const { path } = await convert(sampleOf("mp4"), ["mp4", "mp4"], options);
      const { seconds, streams } = probed(path);
      expect(streams[0]).toMatchObject({ width: 64, height: 84, packets: 10 });
      expect(Math.abs(seconds - 1)).toBeLessThan(0.1);
      // Rotated to the right, the bottom left moves to the top left.
      expect(colorDistance(colorAt(frameAt(path, 0.9), 0.2, 0.2), [0, 0, 255])).toBeLessThan(60);
    });

    test("keep subtitles, chapters and tags", async () => {
      const { path, codes } = await convert(sampleOf("mkv"), ["mkv", "mp4"]);
      const { streams, chapters, tags } = probed(path);
      expect(streams.map(({ codec }) => codec)).toEqual(expect.arrayContaining(["h264", "aac", "mov_text"]));
      expect(chapters).toEqual(MEDIA_CHAPTERS.map(({ title }) => title));
      expect(tags.title).toBe(MEDIA_TAGS.title);
      expect(codes).toEqual([]);
    });

    test("show burned-in subtitles, without a subtitle track", async () => {
      const options = { width: 640, subtitles: "burn" } as const;
      const { path } = await convert(sampleOf("mkv"), ["mkv", "mp4"], options);
      const plain = await convert(sampleOf("mkv"), ["mkv", "mp4"], { width: 640, subtitles: "drop" });
      const [shown, none] = [path, plain.path].map((film) => frameAt(film, 0.5, { width: 640, height: 480 }).pixels);
      const changed = (from: number, to: number) =>
        Array.from(
          { length: to - from },
          (_, at) => Math.abs((shown?.[from + at] ?? 0) - (none?.[from + at] ?? 0)) > 60,
        ).filter(Boolean).length;
      const half = 640 * 240 * 3;
      expect(changed(half, 2 * half), "words at the bottom").toBeGreaterThan(500);
      expect(changed(0, half), "nothing at the top").toBeLessThan(100);
      expect(
        [path, plain.path].flatMap((film) => probed(film).streams.filter(({ kind }) => kind === "subtitle")),
      ).toEqual([]);
    });

    test("report what they lose", async () => {
      expect((await convert(fixture("styled.mkv"), ["mkv", "avi"])).codes).toEqual([
        "subtitles_dropped",
        "attachments_dropped",
      ]);
      expect((await convert(fixture("sound-only.mp4"), ["mp4", "mkv"])).codes).toEqual(["film_missing"]);
    });

    test("are made from animations: with their frames, timestamps and background", async () => {
      const { path } = await convert(fixture("animated.gif"), ["gif", "mp4"], { background: "#00f" });
      const [film] = films(path);
      expect(film).toMatchObject({ codec: "h264", pixels: "yuv420p", packets: 3 });
      expect(Math.abs(probed(path).seconds - 0.6)).toBeLessThan(0.25);
    });
  });

  describe("audio", () => {
    test.each<[string, FormatId, FormatId]>([
      ["deep.flac", "flac", "wav"],
      ["deep.wav", "wav", "flac"],
      ["deep.wav", "wav", "aiff"],
      ["alac.m4a", "m4a", "wav"],
      ["sample.wv", "wv", "flac"],
    ])("that is lossless is bit-exact: %s from %s to %s", async (name, from, to) => {
      const { path, codes } = await convert(fixture(name), [from, to]);
      expect(samplesHash(path)).toBe(samplesHash(fixture(name)));
      expect(codes).toEqual([]);
    });

    test("keeps tags and album cover, in ID3v2.3 for old players", async () => {
      for (const to of ["mp3", "m4a", "flac"] as const) {
        const { path } = await convert(sampleOf(to === "flac" ? "mp3" : "flac"), [to === "flac" ? "mp3" : "flac", to]);
        const { tags, streams } = probed(path);
        expect(tags).toMatchObject({ title: MEDIA_TAGS.title, artist: MEDIA_TAGS.artist, album: MEDIA_TAGS.album });
        expect(streams.map(({ isCover }) => isCover)).toContain(true);
        expect(to === "mp3" ? readFileSync(path).toString("hex", 0, 5) : "4944330300").toBe("4944330300");
      }
    });

    test.each(["mp3", "m4a", "flac", "aiff"] as const)("is converted to %s without a damaged cover", async (to) => {
      const own = await convert(sampleOf("flac"), ["flac", "mp3"]);
      const bytes = readFileSync(own.path);
      const start = bytes.indexOf("APIC");
      const picture = bytes.indexOf(Buffer.from("ffd8ff", "hex"), start);
      const damaged = scratch.file(Buffer.from(bytes).fill(0x78, picture, start + 10 + bytes.readUInt32BE(start + 4)));
      const { path, codes } = await convert(damaged, ["mp3", to], { trim_end: 1 });
      expect(codes).toContain("cover_dropped");
      expect(probed(path).streams).toHaveLength(1);
      expect(Math.abs(probed(path).seconds - 1)).toBeLessThan(0.15);
    });

    test("is copied without a cover that the target cannot store, with a warning", async () => {
      // FLAC stores at most 16 MiB of a picture.
      const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
      const create = { width: 2_600, height: 2_600, channels: 3, background: "#888", noise } as const;
      const picture = scratch.path("cover.png");
      await sharp({ create }).png({ compressionLevel: 0 }).toFile(picture);
      const input = scratch.path("cover.mka");
      const cover = ["-attach", picture, "-metadata:s:t", "mimetype=image/png", "-metadata:s:t", "filename=cover.png"];
      const sound = ["-i", fixture("deep.flac"), "-map", "0:a", "-c:a", "flac", "-compression_level", "0"];
      execFileSync("ffmpeg", ["-v", "error", ...sound, ...cover, input]);
      const { path, codes } = await convert(input, ["mka", "flac"]);
      expect(codes).toContain("cover_dropped");
      expect(packetsHash(path)).toBe(packetsHash(input));
    });

    test("keeps tags from Ogg, which stores them per stream", async () => {
      const { path } = await convert(sampleOf("opus"), ["opus", "mp3"]);
      expect(probed(path).tags.title).toBe(MEDIA_TAGS.title);
    });

    test("drops tags if requested", async () => {
      const { path } = await convert(sampleOf("opus"), ["opus", "mp3"], { strip_metadata: "all" });
      expect(probed(path).tags).not.toHaveProperty("title");
    });

    test("with six channels is downmixed to two if needed, and keeps all channels audible", async () => {
      const { path, codes } = await convert(fixture("surround.flac"), ["flac", "mp3"]);
      expect(sounds(path)).toMatchObject([{ channels: 2 }]);
      expect(codes).toContain("channels_mixed");
      // Front left, center, back left.
      for (const hertz of [200, 400, 500]) {
        expect(loudness(samplesOf(path).left, hertz)).toBeGreaterThan(0.02);
      }
      const kept = await convert(fixture("surround.flac"), ["flac", "ogg"]);
      expect(sounds(kept.path)).toMatchObject([{ channels: 6 }]);
    });

    test("gets the requested loudness, duration and sample rate", async () => {
      const options = { volume: 0.5, trim_end: 1, sample_rate: 22_050, channels: 1, audio_bitrate: 48 };
      const { path } = await convert(sampleOf("m4a"), ["m4a", "mp3"], options);
      expect(sounds(path)).toMatchObject([{ codec: "mp3", rate: 22_050, channels: 1 }]);
      expect(Math.abs(probed(path).seconds - 1)).toBeLessThan(0.15);
      const own = loudness(samplesOf(sampleOf("m4a")).left, TONE_LEFT_HZ);
      expect(loudness(samplesOf(path).left, TONE_LEFT_HZ)).toBeLessThan(own * 0.6);
    });

    test("becomes a waveform", async () => {
      const { path } = await convert(sampleOf("m4a"), ["m4a", "png"], { width: 300, height: 100 });
      const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width: 300, height: 100 });
      const drawn = data.filter((_, at) => at % 4 === 3).filter((alpha) => alpha > 0).length;
      expect(drawn / (300 * 100)).toBeGreaterThan(0.1);
    });
  });

  describe("pictures from video", () => {
    test.each(["gif", "webp", "apng"] as const)("%s has the same motion as the video, and repeats", async (to) => {
      const { path } = await convert(sampleOf("mp4"), ["mp4", to]);
      if (to === "apng") {
        expect(readFileSync(path).includes("acTL")).toBe(true);
        return;
      }
      const { pages = 1, width, loop, delay = [] } = await sharp(path).metadata();
      expect({ pages, width, loop }).toEqual({ pages: 24, width: FILM_WIDTH, loop: 0 });
      expect(Math.abs(delay.reduce((sum, ms) => sum + ms, 0) - 2_000)).toBeLessThan(100);
      const { data, info } = await sharp(path, { page: 12 }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const frame = { width: info.width, height: info.height, pixels: data };
      expect(colorDistance(colorAt(frame, 0.25, 0.25), [255, 0, 0])).toBeLessThan(60);
      expect(colorDistance(colorAt(frame, 0.75, 0.75), [255, 255, 255])).toBeLessThan(60);
    });

    test.each(["jpg", "png", "gif", "webp"] as const)("a video of one frame becomes a %s", async (to) => {
      const path = scratch.path("one-frame.mp4");
      const frame = ["-f", "lavfi", "-i", "color=red:s=64x64:r=25", "-frames:v", "1", "-c:v", "libx264"];
      execFileSync("ffmpeg", ["-v", "error", "-y", ...frame, path]);
      const made = await convert(path, ["mp4", to]);
      const { data, info } = await sharp(made.path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const drawn = colorAt({ width: info.width, height: info.height, pixels: data }, 0.5, 0.5);
      expect(colorDistance(drawn, [255, 0, 0])).toBeLessThan(60);
    });

    test("the last moment of a video has a picture", async () => {
      const { path } = await convert(sampleOf("mp4"), ["mp4", "png"], { at: 1.999 });
      expect((await sharp(path).metadata()).width).toBe(FILM_WIDTH);
    });

    test.each(["jpg", "png"] as const)("a %s shows the requested moment", async (to) => {
      const { path } = await convert(sampleOf("mp4"), ["mp4", to], { at: 1.6 });
      const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const frame = { width: info.width, height: info.height, pixels: data };
      const across = (1.6 * BAR_PIXELS_A_SECOND + 4) / FILM_WIDTH;
      expect(colorDistance(colorAt(frame, across, 0.75), [0, 0, 0]), "the bar").toBeLessThan(60);
      expect(colorDistance(colorAt(frame, 0.25, 0.75), [0, 0, 255]), "blue").toBeLessThan(60);
    });
  });

  describe("rejects", () => {
    test.each<[string, FormatId, FormatId, string]>([
      ["silent.mp4", "mp4", "mp3", "unsupported_feature"],
      ["silent.mp4", "mp4", "srt", "unsupported_feature"],
      ["sound-only.mp4", "mp4", "gif", "unsupported_feature"],
      ["sample.png", "mp4", "mp3", "source_corrupt"],
      ["sample.txt", "avi", "mp4", "source_corrupt"],
    ])("%s as %s to %s", async (name, from, to, code) => {
      expect(await codeOf(convert(fixture(name), [from, to]))).toBe(code);
    });

    test("recordings above the duration limit before decoding", async () => {
      const path = scratch.path("long.flac");
      const silence = ["-f", "lavfi", "-i", `anullsrc=r=8000:cl=mono,atrim=0:${AUDIO_SECONDS_MAX + 60}`];
      execFileSync("ffmpeg", ["-v", "error", ...silence, "-c:a", "flac", "-compression_level", "0", path]);
      expect(await codeOf(convert(path, ["flac", "wav"]))).toBe("too_long");
      const { path: part } = await convert(path, ["flac", "mp3"], { trim_start: "1:00:00", trim_end: "1:00:02" });
      expect(Math.abs(probed(part).seconds - 2)).toBeLessThan(0.2);
    });

    test("a video truncated before its index, and reports the remaining duration of one truncated after it", async () => {
      const film = readFileSync(sampleOf("mp4"));
      expect(await codeOf(convert(scratch.file(film.subarray(0, 20)), ["mp4", "mp3"]))).toBe("source_corrupt");
      const cut = readFileSync(sampleOf("mkv"));
      const { path, codes } = await convert(scratch.file(cut.subarray(0, cut.length / 3)), ["mkv", "mp4"]);
      expect(codes).toContain("content_damaged");
      expect(films(path)[0]?.packets).toBeLessThan(40);
    });

    test("with listed error codes only", () => {
      expect(jobErrors).toHaveProperty("too_long");
    });
  });

  test("reports progress, and leaves only the result and files in its folder", async () => {
    const shares: number[] = [];
    const output = scratch.path("probed.gif");
    const task = taskOf({ input: sampleOf("mp4"), output, from: "mp4", to: "gif" }, scratch.folder);
    const before = readdirSync(scratch.folder).length;
    await ffmpegEngine.convert({ ...task, progress: (share) => shares.push(share) });
    expect(readdirSync(scratch.folder).length).toBe(before + 1);
    expect(readdirSync(task.folder)).toEqual(["palette.png"]);
    expect(shares.length).toBeGreaterThan(1);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    expect(shares.at(-1)).toBeGreaterThan(0.5);
  });

  test("reports its version", async () => {
    expect(await ffmpegEngine.version()).toMatch(/^\d+\.\d+/);
  });
});

/** @returns the maximum difference of two colors, of 255 */
const colorDistance = (one: readonly number[] = [], other: readonly number[] = []): number =>
  Math.max(...other.map((value, index) => Math.abs(value - (one[index] ?? 0))));
