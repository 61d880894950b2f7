import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readMp4Tracks } from "../../../functions/engines/media/mp4/read-tracks.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const film = (name: string, ...options: readonly string[]): string => {
  const path = join(folder.path, name);
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=3"];
  const sound = ["-f", "lavfi", "-i", "sine=duration=2"];
  execFileSync("ffmpeg", ["-nostdin", "-v", "error", "-y", ...picture, ...sound, ...options, path]);
  return path;
};

/** @returns the tracks as ffprobe reports them */
const probed = (path: string) => {
  const entries = ["-show_entries", "stream=codec_type,duration", "-of", "json"];
  const { streams } = JSON.parse(execFileSync("ffprobe", ["-v", "error", ...entries, path], { encoding: "utf8" }));
  return (streams as { codec_type: string; duration: string }[]).map((stream) => ({
    kind: stream.codec_type,
    seconds: Number(stream.duration),
  }));
};

/** A box of ISO/IEC 14496-12. */
const box = (type: string, content: Buffer, bytes = 8 + content.length): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(bytes);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, content]);
};

describe("the tracks of MP4 and QuickTime files", () => {
  test.each([
    ["film.mp4", []],
    ["start.mp4", ["-movflags", "+faststart"]],
    ["film.mov", ["-c:v", "mjpeg", "-c:a", "pcm_s16le"]],
    ["sound.m4a", ["-map", "1:a"]],
  ])("match those of ffprobe: %s", async (name, options) => {
    const path = film(name, ...options);
    const tracks = (await readMp4Tracks(path)) ?? [];
    const expected = probed(path);
    expect(tracks.map(({ kind }) => kind)).toEqual(expected.map(({ kind }) => kind));
    for (const [index, { seconds }] of tracks.entries()) {
      expect(seconds).toBeCloseTo(expected[index]?.seconds ?? -1, 1);
    }
  });

  test("have no duration in a fragmented file, so that the count of ffmpeg is used", async () => {
    const tracks = await readMp4Tracks(film("parts.mp4", "-movflags", "frag_keyframe+empty_moov"));
    expect(tracks?.map(({ kind, seconds }) => `${kind} ${seconds}`)).toEqual(["video 0", "audio 0"]);
  });

  test("are undefined for other files, and for boxes that exceed the file or have no end", async () => {
    const other = film("film.mkv");
    const [cut, long, small] = ["cut.mp4", "long.mp4", "small.mp4"].map((name) => join(folder.path, name));
    copyFileSync(film("whole.mp4", "-movflags", "+faststart"), cut ?? "");
    truncateSync(cut ?? "", Math.floor(readFileSync(cut ?? "").length / 2));
    writeFileSync(long ?? "", box("moov", box("trak", Buffer.alloc(4), 4_000)));
    writeFileSync(small ?? "", box("moov", box("trak", Buffer.alloc(16), 4)));
    for (const path of [other, cut, long, small]) {
      expect(await readMp4Tracks(path ?? "")).toBeUndefined();
    }
  });

  test("are undefined for more boxes than any real file has", async () => {
    const path = join(folder.path, "many.mp4");
    writeFileSync(path, box("moov", Buffer.concat(Array.from({ length: 3_000 }, () => box("free", Buffer.alloc(0))))));
    expect(await readMp4Tracks(path)).toBeUndefined();
  });
});
