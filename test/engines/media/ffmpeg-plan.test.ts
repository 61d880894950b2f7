import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { containers } from "../../../functions/engines/media/ffmpeg/containers.ts";
import { planOf } from "../../../functions/engines/media/ffmpeg/plan/plan.ts";
import type {
  AudioTrack,
  OtherTrack,
  Source,
  Track,
  VideoTrack,
} from "../../../functions/engines/media/ffmpeg/source.ts";

/** ffmpeg arguments, planned without running ffmpeg. */

const stream = { tag: "", seconds: 60, bitsPerSecond: undefined, isDefault: true, tags: {} };
const film: VideoTrack = {
  ...stream,
  ...{ kind: "video", index: 0, codec: "h264", isCover: false, width: 1_920, height: 1_080, aspect: 1, turned: 0 },
  ...{ framesPerSecond: 25, pixels: "yuv420p", transfer: "bt709", primaries: "bt709", matrix: "bt709" },
  isInterlaced: false,
};
const sound: AudioTrack = {
  ...stream,
  ...{ kind: "audio", index: 1, codec: "aac", rate: 44_100, channels: 2, isPlaced: true, samples: "fltp" },
  bits: 0,
};
const text: OtherTrack = { ...stream, kind: "subtitle", index: 2, codec: "subrip" };
const source = (...tracks: Track[]): Source => ({ seconds: 60, tracks, chapters: 0, tags: {} });

/** @returns the plan as one line */
const planned = (from: FormatId, to: FormatId, tracks: Track[], options: Options = {}) => {
  const plan = planOf({ source: source(...tracks), from, to, options, copies: true, covers: true });
  return { ...plan, line: plan.writing.join(" "), codes: plan.warnings.map(({ code }) => code) };
};

describe("copies a video if the target's players expect its codecs", () => {
  test.each<[FormatId, FormatId, string, string, boolean, boolean]>([
    ["mov", "mp4", "h264", "aac", true, true],
    ["mov", "mp4", "hevc", "aac", false, true],
    ["mov", "m4v", "hevc", "ac3", true, true],
    ["mkv", "mp4", "h264", "ac3", true, false],
    ["mkv", "mp4", "av1", "opus", true, false],
    ["webm", "mp4", "vp9", "opus", false, false],
    ["mkv", "mp4", "h264", "dts", true, false],
    ["mp4", "mkv", "h264", "aac", true, true],
    ["mkv", "webm", "vp9", "opus", true, true],
    ["mp4", "webm", "h264", "aac", false, false],
    ["avi", "mp4", "h264", "mp3", false, true],
    ["mov", "mp4", "prores", "pcm_s16le", false, false],
    ["mp4", "wmv", "h264", "aac", false, false],
  ])("%s to %s with %s and %s: copies video %s, audio %s", (from, to, filmCodec, soundCodec, filmStays, soundStays) => {
    const { line } = planned(from, to, [
      { ...film, codec: filmCodec },
      { ...sound, codec: soundCodec },
    ]);
    expect(line.includes("-c:v:0 copy")).toBe(filmStays);
    expect(line.includes("-c:a:0 copy")).toBe(soundStays);
  });

  test.each<Options>([
    { width: 640 },
    { fps: 10 },
    { crf: 30 },
    { video_bitrate: 500 },
    { rotate: 90 },
    { trim_end: 10 },
    { video_codec: "hevc" },
  ])("not with %j", (options) => {
    expect(planned("mov", "mp4", [film, sound], options).line).not.toContain("-c:v:0 copy");
  });

  test("copies the audio if only the video changes, and vice versa", () => {
    expect(planned("mov", "mp4", [film, sound], { width: 640 }).line).toContain("-c:a:0 copy");
    const { line } = planned("mov", "mp4", [film, sound], { volume: 2 });
    expect(line).toContain("-c:v:0 copy");
    expect(line).toContain("-filter:a:0 volume=2");
  });

  test("encodes 10-bit H.264, and rotated video if the target cannot store rotation", () => {
    expect(planned("mkv", "mp4", [{ ...film, pixels: "yuv420p10le" }]).line).toContain("libx264");
    expect(planned("mov", "mp4", [{ ...film, turned: 90 }]).line).toContain("-c:v:0 copy");
    expect(planned("mov", "mkv", [{ ...film, turned: 90 }]).line).toContain("libx264");
  });

  test("encodes HEVC and AC-3 for MP4, unless `copy` is requested or the video is too long", () => {
    const hevc = { ...film, codec: "hevc", width: 1_920, height: 1_080, framesPerSecond: 30 };
    const tracks: Track[] = [hevc, { ...sound, codec: "ac3" }];
    expect(planned("mov", "mp4", tracks).line).toMatch(/libx264.*-c:a:0 aac/);
    const kept = planned("mov", "mp4", tracks, { video_codec: "copy", audio_codec: "copy" });
    expect(kept.line).toMatch(/-c:v:0 copy -tag:v:0 hvc1.*-c:a:0 copy/);
    const long = planOf({
      source: { ...source(...tracks), seconds: 3_600 },
      ...{ from: "mov", to: "mp4", options: {}, copies: true, covers: true },
    });
    expect(long.writing.join(" ")).toContain("-c:v:0 copy -tag:v:0 hvc1");
    expect(long.warnings.map(({ code }) => code)).toEqual(["codec_kept"]);
    const plain = planOf({
      source: { ...source({ ...hevc, codec: "h264" }, sound), seconds: 3_600 },
      ...{ from: "mov", to: "mp4", options: {}, copies: true, covers: true },
    });
    expect(plain.writing.join(" ")).toContain("-c:v:0 copy");
    expect(plain.warnings).toEqual([]);
  });

  test("encodes HDR for MP4 in every codec, unless `copy` is requested; Apple players show it", () => {
    const hdr = { ...film, codec: "av1", pixels: "yuv420p10le", transfer: "arib-std-b67" };
    const { line, codes } = planned("mkv", "mp4", [hdr, sound]);
    expect(line).toMatch(/tonemap=.*format=yuv420p .*|libx264.*tonemap=/);
    expect(codes).toEqual(["tones_mapped"]);
    expect(planned("mkv", "mp4", [hdr], { video_codec: "copy" }).line).toContain("-c:v:0 copy");
    expect(planned("mov", "m4v", [{ ...hdr, codec: "hevc" }]).line).toContain("-c:v:0 copy");
  });

  test("refuses to copy what the target cannot contain", () => {
    expect(() => planned("mov", "mp4", [{ ...film, codec: "prores" }], { video_codec: "copy" })).toThrow(
      "The prores video cannot be copied to MP4 unchanged.",
    );
    expect(() => planned("mkv", "webm", [film, sound], { audio_codec: "copy" })).toThrow("cannot be copied");
  });

  test("gives HEVC the tag that Apple players require", () => {
    expect(planned("mkv", "m4v", [{ ...film, codec: "hevc" }]).line).toContain("-c:v:0 copy -tag:v:0 hvc1");
    expect(planned("mp4", "mov", [film], { video_codec: "hevc" }).line).toContain("-tag:v:0 hvc1");
  });
});

describe("video encoding", () => {
  test("uses settings that every player supports: even sides, 4:2:0 color", () => {
    const { line } = planned("webm", "mp4", [{ ...film, codec: "vp9", width: 321, height: 241 }]);
    expect(line).toContain("crop=320:240:0:0,format=yuv420p");
    expect(line).toContain("-c:v:0 libx264 -preset:v:0 veryfast -crf:v:0 23");
  });

  test.each<[Options, string]>([
    [{ width: 640 }, "scale=640:360:flags=bicubic,setsar=1"],
    [{ width: 640, height: 640, fit: "cover" }, "scale=1138:640:flags=bicubic,setsar=1,crop=640:640"],
    [
      { width: 640, height: 640, fit: "contain", background: "#0af" },
      "scale=640:360:flags=bicubic,setsar=1,pad=640:640:(ow-iw)/2:(oh-ih)/2:color=0x00aaff",
    ],
    [{ rotate: 90, width: 540 }, "transpose=clock,scale=540:960:flags=bicubic,setsar=1"],
    [{ fps: 30 }, "fps=30"],
  ])("with %j by %s", (options, filters) => {
    expect(planned("mp4", "mp4", [film], options).line).toContain(filters);
  });

  test("measures anamorphic and rotated video as displayed", () => {
    const wide = { ...film, width: 720, height: 576, aspect: 16 / 15 };
    expect(planned("mp4", "mp4", [wide], { height: 288 }).line).toContain("scale=384:288");
    expect(planned("mp4", "mp4", [{ ...film, turned: 90 }], { width: 540 }).line).toContain("scale=540:960");
  });

  test("deinterlaces, and tone-maps HDR to SDR", () => {
    expect(planned("mxf", "mp4", [{ ...film, codec: "mpeg2video", isInterlaced: true }]).line).toContain("bwdif");
    const { line, codes } = planned("mkv", "mp4", [{ ...film, codec: "vp9", transfer: "smpte2084" }]);
    expect(line).toContain("tonemap=hable");
    expect(codes).toContain("tones_mapped");
  });

  test("declares the colors of HDR whose file does not, because the filter requires them", () => {
    const hdr = { ...film, codec: "hevc", transfer: "smpte2084" };
    expect(planned("mkv", "mp4", [{ ...hdr, primaries: "unknown", matrix: "" }]).line).toContain(
      "setparams=color_primaries=bt2020:colorspace=bt2020nc,zscale",
    );
    expect(planned("mkv", "mp4", [{ ...hdr, primaries: "bt2020", matrix: "bt2020nc" }]).line).not.toContain(
      "setparams",
    );
  });

  test("uses the slower VP9 for short videos, by the pixels of all frames", () => {
    const short = { ...film, width: 1_280, height: 720 };
    const encoded = (seconds: number | undefined, options: Options = {}) =>
      planOf({
        source: { ...source(short), seconds },
        ...{ from: "mp4", to: "webm", options, copies: true, covers: true },
      }).writing.join(" ");
    expect(encoded(20)).toContain("-deadline:v:0 good -cpu-used:v:0 4");
    expect(encoded(60)).toContain("-deadline:v:0 realtime -cpu-used:v:0 6");
    expect(encoded(60, { width: 480 })).toContain("-deadline:v:0 good");
    expect(encoded(60, { trim_end: 10 })).toContain("-deadline:v:0 good");
    expect(encoded(undefined)).toContain("-deadline:v:0 realtime");
  });

  test("gives MPEG-2 its nearest supported frame rate", () => {
    expect(planned("mp4", "mpg", [{ ...film, framesPerSecond: 15 }]).line).toContain("fps=23.976");
  });

  test("rejects codecs that the target does not support, and lists the supported ones", () => {
    expect(() => planned("mp4", "webm", [film], { video_codec: "h264" })).toThrow(/vp9, av1/);
    expect(() => planned("mp4", "mp4", [film, sound], { audio_codec: "vorbis" })).toThrow(/aac, mp3/);
  });
});

describe("audio", () => {
  test.each<[FormatId, FormatId, Partial<AudioTrack>, string]>([
    ["flac", "wav", { codec: "flac", samples: "s32", bits: 24 }, "pcm_s24le"],
    ["flac", "wav", { codec: "flac", samples: "s16", bits: 16 }, "pcm_s16le"],
    ["mp3", "wav", { codec: "mp3", samples: "fltp" }, "pcm_s16le"],
    ["wav", "aiff", { codec: "pcm_f32le", samples: "flt", bits: 32 }, "pcm_f32be"],
    [
      "wav",
      "flac",
      { codec: "pcm_s24le", samples: "s32", bits: 24 },
      "-sample_fmt:a:0 s32 -bits_per_raw_sample:a:0 24",
    ],
    ["wav", "flac", { codec: "pcm_u8", samples: "u8", bits: 8 }, "-sample_fmt:a:0 s16"],
  ])("from %s to %s keeps its depth: %j", (from, to, track, codec) => {
    expect(planned(from, to, [{ ...sound, ...track }]).line).toContain(codec);
  });

  test("is copied if it fits, from video too", () => {
    expect(planned("mp4", "m4a", [film, sound]).line).toContain("-map 0:1 -c:a:0 copy");
    expect(planned("mp3", "mp3", [{ ...sound, codec: "mp3" }]).line).toContain("-c:a:0 copy");
    expect(planned("mp3", "mp3", [{ ...sound, codec: "mp3" }], { trim_start: 5 }).line).toContain("libmp3lame");
  });

  test("gets the next sample rate and the channels that the codec supports, with a warning", () => {
    const { line, codes } = planned("flac", "mp3", [{ ...sound, codec: "flac", rate: 96_000, channels: 6 }]);
    expect(line).toContain("-ar:a:0 48000 -ac:a:0 2 -b:a:0 192000 -compression_level:a:0 7");
    expect(codes).toEqual(["channels_mixed", "sound_resampled"]);
    expect(planned("flac", "opus", [{ ...sound, codec: "flac" }]).codes).toEqual([]);
  });

  test("gets no higher bit rate than a source with a similar codec, and the requested bit rate within the limits", () => {
    const old = { ...sound, codec: "mp2", bitsPerSecond: 128_000 };
    expect(planned("mp2", "mp3", [old]).line).toContain("-b:a:0 128000");
    expect(planned("m4a", "mp3", [{ ...sound, bitsPerSecond: 64_000 }]).line).toContain("-b:a:0 192000");
    expect(planned("m4a", "mp3", [sound], { audio_bitrate: 999 }).line).toContain("-b:a:0 320000");
  });

  test("uses the default of several tracks, with a warning", () => {
    const { line, codes } = planned("mkv", "mp3", [film, { ...sound, isDefault: false }, { ...sound, index: 5 }]);
    expect(line).toContain("-map 0:5");
    expect(codes).toEqual(["tracks_dropped"]);
  });

  test("reports tags and chapters that the target does not store", () => {
    const tags = { title: "A", composer: "B", mood: "happy", encoder: "x", "bad\nname": "C", isrc: "DE1" };
    const lossy = (to: FormatId, options: Options = {}) =>
      planOf({
        source: { ...source({ ...sound, codec: "mp3" }), tags, chapters: 2 },
        ...{ from: "mp3", to, options, copies: true, covers: true },
      }).warnings.map(({ detail }) => detail);
    expect(lossy("m4a")).toEqual(["MPEG-4 audio does not store these tags: mood, isrc."]);
    expect(lossy("wav")).toEqual(["WAV does not store these tags: composer, mood."]);
    expect(lossy("flac")).toEqual(["The chapters were lost."]);
    expect(lossy("m4a", { strip_metadata: "all" })).toEqual([]);
    expect(lossy("aac")).toEqual([]);
  });

  test("is required", () => {
    expect(() => planned("mp4", "mp3", [film])).toThrow(/no decodable audio/);
  });
});

test("seeks to the requested part before reading", () => {
  const plan = planned("mp4", "mp3", [film, sound], { trim_start: "0:10", trim_end: 25.5 });
  expect(plan.reading).toEqual(["-ss", "10", "-t", "15.5"]);
  expect(plan.seconds).toBe(15.5);
  expect(() => planned("mp4", "mp3", [film, sound], { trim_start: 61 })).toThrow(/past the end .*60 s/);
  expect(() => planned("mp4", "mp3", [film, sound], { trim_start: 20, trim_end: 20 })).toThrow(/must be after/);
});

describe("subtitles", () => {
  test("are kept in the target's format if it supports them", () => {
    expect(planned("mkv", "mp4", [film, sound, text]).line).toContain("-map 0:2 -c:s:0 mov_text");
    expect(planned("mp4", "mkv", [film, { ...text, codec: "mov_text" }]).line).toContain("-c:s:0 subrip");
    expect(planned("mkv", "mkv", [film, { ...text, codec: "hdmv_pgs_subtitle" }]).line).toContain("-c:s:0 copy");
  });

  test("are reported when lost, unless removal was requested", () => {
    expect(planned("mkv", "avi", [film, text]).codes).toEqual(["subtitles_dropped"]);
    expect(planned("mkv", "mp4", [film, { ...text, codec: "hdmv_pgs_subtitle" }]).codes).toEqual(["subtitles_dropped"]);
    expect(planned("mkv", "avi", [film, text], { subtitles: "drop" }).codes).toEqual([]);
  });

  test("are burned in from a file with a fixed name", () => {
    const plan = planned("mkv", "mp4", [film, text], { subtitles: "burn" });
    expect(plan.before?.[0]?.file).toBe("burned.ass");
    expect(plan.line).toContain("subtitles=filename=burned.ass");
    expect(plan.line).not.toContain("-c:s");
    expect(() => planned("mkv", "mp4", [film], { subtitles: "burn" })).toThrow(/no text subtitles/);
  });
});

describe("pictures", () => {
  test("an animation has 12 frames per second and a width of 480 pixels by default", () => {
    expect(planned("mp4", "gif", [film]).line).toContain("fps=12,scale=480:270");
    expect(planned("mp4", "webp", [film], { fps: 20, width: 100 }).line).toContain("fps=20,scale=100:56");
    expect(planned("mp4", "gif", [{ ...film, width: 200, height: 100, framesPerSecond: 5 }]).line).toContain(
      "[0:0]fps=5[",
    );
  });

  test("rejects an animation with too many frames, and names the options to reduce them", () => {
    expect(() => planned("mp4", "gif", [film], { fps: 50 })).toThrow(/3000 frames.*trim_start/);
  });

  test("takes a poster at a tenth of the duration, or at the requested time", () => {
    expect(planned("mp4", "jpg", [film]).reading).toEqual(["-ss", "6.000"]);
    expect(planned("mp4", "jpg", [{ ...film, seconds: 0.04 }]).reading).toEqual([]);
    expect(planned("mp4", "png", [film], { at: "0:42" }).reading).toEqual(["-ss", "42.000"]);
    expect(() => planned("mp4", "png", [film], { at: 60 })).toThrow(/past the end .*60 s/);
  });
});

test("the demuxer reads only formats that ffmpeg does not follow elsewhere", () => {
  const muxers = Object.values(containers).map(({ muxer }) => muxer[1]);
  expect(muxers).not.toContain("hls");
  expect(muxers).not.toContain("tee");
  expect(new Set(muxers).has(undefined)).toBe(false);
});
