import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { AUDIO_SECONDS_MAX } from "../../functions/domain/conversion-limits.ts";
import { jobErrors } from "../../functions/domain/errors.ts";
import type { FormatId } from "../../functions/domain/formats.ts";
import { ffmpegEngine } from "../../functions/engines/ffmpeg.ts";
import { codeOf } from "./support/convert.ts";
import { fixture, sampleOf } from "./support/fixtures.ts";
import { colourAt, frameAt, loudness, samplesOf, told } from "./support/listen.ts";
import {
  BAR_PIXELS_A_SECOND,
  FILM_HEIGHT,
  FILM_WIDTH,
  MEDIA_CHAPTERS,
  MEDIA_TAGS,
  TONE_LEFT_HZ,
} from "./support/media.ts";
import { scratchFolder } from "./support/scratch.ts";
import { convertingBy, isInstalled, taskOf } from "./support/task.ts";

/** Sound and films by ffmpeg, where it is installed. */

const scratch = scratchFolder();
const convert = convertingBy("ffmpeg", scratch);

const films = (path: string) => told(path).streams.filter(({ kind }) => kind === "video");
const sounds = (path: string) => told(path).streams.filter(({ kind }) => kind === "audio");

/** @returns the sum of all samples, decoded without change */
const samplesHash = (path: string): string =>
  execFileSync("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-c:a", "pcm_s24le", "-f", "md5", "-"], {
    encoding: "utf8",
  });

describe.skipIf(!isInstalled("ffmpeg"))("ffmpeg", () => {
  describe("films", () => {
    test("are put into another container packet by packet, with the index ahead of the film", async () => {
      const { path, codes } = await convert(sampleOf("mov"), ["mov", "mp4"]);
      const packets = ({ streams }: ReturnType<typeof told>) =>
        streams.map(({ codec, packets }) => `${codec} ${packets}`);
      expect(packets(told(path))).toEqual(packets(told(sampleOf("mov"))));
      const bytes = readFileSync(path);
      expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
      expect(codes).toEqual([]);
    });

    test("of HEVC get the name that Apple's players know", async () => {
      const { path } = await convert(fixture("hevc-in-band.mp4"), ["mp4", "mov"]);
      expect(films(path)).toMatchObject([{ codec: "hevc", tag: "hvc1" }]);
    });

    test.each<[string, FormatId]>([
      ["deep-film.mp4", "mp4"],
      ["odd-sides.mkv", "mkv"],
      ["pcm.mov", "mov"],
    ])("that few players show become what all do: %s", async (name, from) => {
      const { path } = await convert(fixture(name), [from, "mp4"]);
      const [film] = films(path);
      expect(film).toMatchObject({ codec: "h264", pixels: "yuv420p" });
      expect([film?.width, film?.height].map((side = 1) => side % 2)).toEqual([0, 0]);
    });

    test("that are held sideways are upright, whether they stay as they are or not", async () => {
      for (const to of ["mp4", "webm"] as const) {
        const { path } = await convert(fixture("sideways.mov"), ["mov", to]);
        const size = { width: FILM_HEIGHT, height: FILM_WIDTH };
        const [left, right] = [0.25, 0.75].map((across) => colourAt(frameAt(path, 1, size), across, 0.15));
        const own = frameAt(fixture("sideways.mov"), 1, size);
        expect(colourDistance(left, colourAt(own, 0.25, 0.15))).toBeLessThan(60);
        expect(colourDistance(right, colourAt(own, 0.75, 0.15))).toBeLessThan(60);
      }
    });

    test("keep as many frames, at their times, where these come irregularly", async () => {
      const { path } = await convert(fixture("variable-rate.mp4"), ["mp4", "mp4"], { crf: 30 });
      const own = films(fixture("variable-rate.mp4"))[0]?.packets ?? 0;
      expect(Math.abs((films(path)[0]?.packets ?? 0) - own)).toBeLessThanOrEqual(1);
      expect(told(path).seconds).toBeCloseTo(told(fixture("variable-rate.mp4")).seconds, 0);
    });

    test("get the size, the rate, the turn and the part that are asked for", async () => {
      const options = { width: 64, fps: 10, rotate: 90, trim_start: 0.5, trim_end: "0:01.5" } as const;
      const { path } = await convert(sampleOf("mp4"), ["mp4", "mp4"], options);
      const { seconds, streams } = told(path);
      expect(streams[0]).toMatchObject({ width: 64, height: 84, packets: 10 });
      expect(Math.abs(seconds - 1)).toBeLessThan(0.1);
      // Turned to the right, what was below at the left comes to the left above.
      expect(colourDistance(colourAt(frameAt(path, 0.9), 0.2, 0.2), [0, 0, 255])).toBeLessThan(60);
    });

    test("keep subtitles, chapters and tags", async () => {
      const { path, codes } = await convert(sampleOf("mkv"), ["mkv", "mp4"]);
      const { streams, chapters, tags } = told(path);
      expect(streams.map(({ codec }) => codec)).toEqual(expect.arrayContaining(["h264", "aac", "mov_text"]));
      expect(chapters).toEqual(MEDIA_CHAPTERS.map(({ title }) => title));
      expect(tags.title).toBe(MEDIA_TAGS.title);
      expect(codes).toEqual([]);
    });

    test("show subtitles that are burned in, and have no track of them then", async () => {
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
      expect(changed(0, half), "nothing above").toBeLessThan(100);
      expect(
        [path, plain.path].flatMap((film) => told(film).streams.filter(({ kind }) => kind === "subtitle")),
      ).toEqual([]);
    });

    test("tell of what they lose", async () => {
      expect((await convert(fixture("styled.mkv"), ["mkv", "avi"])).codes).toEqual([
        "subtitles_dropped",
        "attachments_dropped",
      ]);
      expect((await convert(fixture("sound-only.mp4"), ["mp4", "mkv"])).codes).toEqual(["film_missing"]);
    });

    test("are made of animations: with their frames, at their times, on a background", async () => {
      const { path } = await convert(fixture("animated.gif"), ["gif", "mp4"], { background: "#00f" });
      const [film] = films(path);
      expect(film).toMatchObject({ codec: "h264", pixels: "yuv420p", packets: 3 });
      expect(Math.abs(told(path).seconds - 0.6)).toBeLessThan(0.25);
    });
  });

  describe("sound", () => {
    test.each<[string, FormatId, FormatId]>([
      ["deep.flac", "flac", "wav"],
      ["deep.wav", "wav", "flac"],
      ["deep.wav", "wav", "aiff"],
      ["alac.m4a", "m4a", "wav"],
      ["sample.wv", "wv", "flac"],
    ])("without loss stays exactly: %s from %s to %s", async (name, from, to) => {
      const { path, codes } = await convert(fixture(name), [from, to]);
      expect(samplesHash(path)).toBe(samplesHash(fixture(name)));
      expect(codes).toEqual([]);
    });

    test("brings tags and the cover of an album, in ID3v2.3 for old players", async () => {
      for (const to of ["mp3", "m4a", "flac"] as const) {
        const { path } = await convert(sampleOf(to === "flac" ? "mp3" : "flac"), [to === "flac" ? "mp3" : "flac", to]);
        const { tags, streams } = told(path);
        expect(tags).toMatchObject({ title: MEDIA_TAGS.title, artist: MEDIA_TAGS.artist, album: MEDIA_TAGS.album });
        expect(streams.map(({ isCover }) => isCover)).toContain(true);
        expect(to === "mp3" ? readFileSync(path).toString("hex", 0, 5) : "4944330300").toBe("4944330300");
      }
    });

    test("brings tags out of Ogg, which has them elsewhere", async () => {
      const { path } = await convert(sampleOf("opus"), ["opus", "mp3"]);
      expect(told(path).tags.title).toBe(MEDIA_TAGS.title);
    });

    test("brings no tags when they are to be left out", async () => {
      const { path } = await convert(sampleOf("opus"), ["opus", "mp3"], { strip_metadata: true });
      expect(told(path).tags).not.toHaveProperty("title");
    });

    test("of six channels is mixed into two where there are no more, and all of it is heard", async () => {
      const { path, codes } = await convert(fixture("surround.flac"), ["flac", "mp3"]);
      expect(sounds(path)).toMatchObject([{ channels: 2 }]);
      expect(codes).toContain("channels_mixed");
      // The front at the left, the centre, the back at the left.
      for (const hertz of [200, 400, 500]) {
        expect(loudness(samplesOf(path).left, hertz)).toBeGreaterThan(0.02);
      }
      const kept = await convert(fixture("surround.flac"), ["flac", "ogg"]);
      expect(sounds(kept.path)).toMatchObject([{ channels: 6 }]);
    });

    test("becomes as loud, as long, and of as many samples as is asked for", async () => {
      const options = { volume: 0.5, trim_end: 1, sample_rate: 22_050, channels: 1, audio_bitrate: 48 };
      const { path } = await convert(sampleOf("m4a"), ["m4a", "mp3"], options);
      expect(sounds(path)).toMatchObject([{ codec: "mp3", rate: 22_050, channels: 1 }]);
      expect(Math.abs(told(path).seconds - 1)).toBeLessThan(0.15);
      const own = loudness(samplesOf(sampleOf("m4a")).left, TONE_LEFT_HZ);
      expect(loudness(samplesOf(path).left, TONE_LEFT_HZ)).toBeLessThan(own * 0.6);
    });

    test("is drawn over its time", async () => {
      const { path } = await convert(sampleOf("m4a"), ["m4a", "png"], { width: 300, height: 100 });
      const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width: 300, height: 100 });
      const drawn = data.filter((_, at) => at % 4 === 3).filter((alpha) => alpha > 0).length;
      expect(drawn / (300 * 100)).toBeGreaterThan(0.1);
    });
  });

  describe("pictures of a film", () => {
    test.each(["gif", "webp", "apng"] as const)("%s moves as the film does, and repeats", async (to) => {
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
      expect(colourDistance(colourAt(frame, 0.25, 0.25), [255, 0, 0])).toBeLessThan(60);
      expect(colourDistance(colourAt(frame, 0.75, 0.75), [255, 255, 255])).toBeLessThan(60);
    });

    test.each(["jpg", "png"] as const)("a %s shows the moment that is asked for", async (to) => {
      const { path } = await convert(sampleOf("mp4"), ["mp4", to], { at: 1.6 });
      const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const frame = { width: info.width, height: info.height, pixels: data };
      const across = (1.6 * BAR_PIXELS_A_SECOND + 4) / FILM_WIDTH;
      expect(colourDistance(colourAt(frame, across, 0.75), [0, 0, 0]), "the bar").toBeLessThan(60);
      expect(colourDistance(colourAt(frame, 0.25, 0.75), [0, 0, 255]), "blue").toBeLessThan(60);
    });
  });

  describe("refuses", () => {
    test.each<[string, FormatId, FormatId, string]>([
      ["silent.mp4", "mp4", "mp3", "unsupported_feature"],
      ["silent.mp4", "mp4", "srt", "unsupported_feature"],
      ["sound-only.mp4", "mp4", "gif", "unsupported_feature"],
      ["sample.png", "mp4", "mp3", "source_corrupt"],
      ["sample.txt", "avi", "mp4", "source_corrupt"],
    ])("%s as %s to %s", async (name, from, to, code) => {
      expect(await codeOf(convert(fixture(name), [from, to]))).toBe(code);
    });

    test("a recording that is longer than it may be, before it is decoded", async () => {
      const path = scratch.path("long.flac");
      const silence = ["-f", "lavfi", "-i", `anullsrc=r=8000:cl=mono,atrim=0:${AUDIO_SECONDS_MAX + 60}`];
      execFileSync("ffmpeg", ["-v", "error", ...silence, "-c:a", "flac", "-compression_level", "0", path]);
      expect(await codeOf(convert(path, ["flac", "wav"]))).toBe("too_long");
      const { path: part } = await convert(path, ["flac", "mp3"], { trim_start: "1:00:00", trim_end: "1:00:02" });
      expect(Math.abs(told(part).seconds - 2)).toBeLessThan(0.2);
    });

    test("a film that was cut off before its index, and tells how much there is of one that was cut off behind it", async () => {
      const film = readFileSync(sampleOf("mp4"));
      expect(await codeOf(convert(scratch.file(film.subarray(0, 20)), ["mp4", "mp3"]))).toBe("source_corrupt");
      const cut = readFileSync(sampleOf("mkv"));
      const { path, codes } = await convert(scratch.file(cut.subarray(0, cut.length / 3)), ["mkv", "mp4"]);
      expect(codes).toContain("content_damaged");
      expect(films(path)[0]?.packets).toBeLessThan(40);
    });

    test("every code is one of the table", () => {
      expect(jobErrors).toHaveProperty("too_long");
    });
  });

  test("tells how far it is, and leaves nothing but the result and what lies in its folder", async () => {
    const shares: number[] = [];
    const output = scratch.path("told.gif");
    const task = taskOf({ input: sampleOf("mp4"), output, from: "mp4", to: "gif" }, scratch.folder);
    const before = readdirSync(scratch.folder).length;
    await ffmpegEngine.convert({ ...task, progress: (share) => shares.push(share) });
    expect(readdirSync(scratch.folder).length).toBe(before + 1);
    expect(readdirSync(task.folder)).toEqual(["palette.png"]);
    expect(shares.length).toBeGreaterThan(1);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    expect(shares.at(-1)).toBeGreaterThan(0.5);
  });

  test("says which version it is", async () => {
    expect(await ffmpegEngine.version()).toMatch(/^\d+\.\d+/);
  });
});

/** @returns how far two colours are apart at the most, of 255 */
const colourDistance = (one: readonly number[] = [], other: readonly number[] = []): number =>
  Math.max(...other.map((value, index) => Math.abs(value - (one[index] ?? 0))));
