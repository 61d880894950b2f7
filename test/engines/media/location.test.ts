import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../support/fixtures.ts";
import { probed } from "../support/processes/listen.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("ffmpeg", scratch);

/** The sample with the place of its recording and a title, as phones write them. */
const located = (): string => {
  const path = `${scratch.fresh()}.mov`;
  const tags = ["-metadata", "location=+51.5090-0.1288/", "-metadata", "title=Bridge"];
  execFileSync("ffmpeg", ["-v", "error", "-i", sampleOf("mov"), "-c", "copy", ...tags, path]);
  return path;
};

const tagsOf = (path: string): Record<string, string> =>
  Object.fromEntries(Object.entries(probed(path).tags).map(([name, value]) => [name.toLowerCase(), value]));

describe.skipIf(!isInstalled("ffmpeg"))("the location of a video", () => {
  test.each(["mp4", "mov", "mkv", "webm"] as const)(
    "is kept in %s with a warning, and removed by `gps`",
    async (to) => {
      const kept = await convert(located(), ["mov", to]);
      expect(kept.codes).toContain("location_kept");
      expect(tagsOf(kept.path).location).toContain("51.5");
      const removed = await convert(located(), ["mov", to], { strip_metadata: "gps" });
      expect(removed.codes).not.toContain("location_kept");
      expect(Object.keys(tagsOf(removed.path)).filter((name) => name.includes("location"))).toEqual([]);
      expect(tagsOf(removed.path).title).toBe("Bridge");
    },
  );

  test("is removed with all tags by `all`, and not reported for formats without it", async () => {
    const { path, codes } = await convert(located(), ["mov", "mp4"], { strip_metadata: "all" });
    expect([codes, tagsOf(path).location, tagsOf(path).title]).toEqual([[], undefined, undefined]);
    expect((await convert(located(), ["mov", "avi"])).codes).not.toContain("location_kept");
  });
});
