import { describe, expect, test } from "vitest";
import { LIGHT_SOUND_BYTES_MAX } from "../../functions/domain/conversions/conversion-limits.ts";
import { conversions } from "../../functions/domain/conversions/conversions.ts";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { laneIds, lanes } from "../../functions/domain/conversions/lanes.ts";
import { checkOptions } from "../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { laneOfJob } from "../../functions/domain/jobs/job-lane.ts";

const { all, find } = planRoutes(new Set(engineIds));

const laneFor = (from: FormatId, to: FormatId, bytes: number) => {
  const route = find(from, to);
  return route && laneOfJob(route, bytes);
};

describe("the lane of a job", () => {
  test.each([
    ["wav", "mp3"],
    ["mp3", "flac"],
    ["m4a", "png"],
    ["mp4", "mp3"],
  ] as const)("is a cheaper one for short audio: %s to %s", (from, to) => {
    expect(laneFor(from, to, LIGHT_SOUND_BYTES_MAX)).toBe("documents");
    expect(laneFor(from, to, LIGHT_SOUND_BYTES_MAX + 1)).toBe("media");
  });

  test.each([
    ["mov", "mp4"],
    ["mp4", "gif"],
    ["gif", "mp4"],
    ["mp4", "jpg"],
    ["mkv", "srt"],
  ] as const)("is the video lane for every video, however short: %s to %s", (from, to) => {
    expect(laneFor(from, to, 1)).toBe("media");
  });

  test("is the lane of its route for everything else", () => {
    const others = all.filter(({ lane }) => lane !== "media");
    expect(others.length).toBeGreaterThan(1_000);
    expect(others.filter((route) => laneOfJob(route, 1) !== route.lane)).toEqual([]);
  });

  test("accepts files as large as the job's, and is a container image like ffmpeg's lane", () => {
    expect(lanes.documents.image).toBe(lanes.media.image);
    expect(lanes.documents.inputBytesMax).toBeGreaterThanOrEqual(LIGHT_SOUND_BYTES_MAX);
    expect(laneIds.indexOf("documents")).toBeLessThan(laneIds.indexOf("media"));
  });
});

describe("text recognition", () => {
  const readers = ["txt", "html", "xlsx", "csv", "pptx", "docx", "md", "epub"] as const;
  const zipped = planRoutes(new Set(engineIds), { lanes: ["fast", "data"] });

  test.each(readers)(
    "of scanned pages has a lane from PDF to %s, where jobs go at once that need it on all pages",
    (to) => {
      const route = planRoutes(new Set(engineIds)).find("pdf", to);
      expect(route?.options).toEqual(expect.arrayContaining(["ocr", "ocr_language"]));
      expect(route?.helperLane).toBe("documents");
      expect(route && laneOfJob(route, 1, { ocr: "force" })).toBe("documents");
      expect(route && laneOfJob(route, 1, { ocr: "auto" })).toBe(route?.lane);
    },
  );

  test.each(readers)("is not an option from PDF to %s in a deployment without it", (to) => {
    for (const routes of [zipped, planRoutes(new Set(engineIds.filter((id) => id !== "tesseract")))]) {
      expect(routes.find("pdf", to)?.helperLane).toBeUndefined();
      expect(routes.optionsOf("pdf", to).options.filter((name) => name.startsWith("ocr"))).toEqual([]);
      expect(() => checkOptions(routes.optionsOf("pdf", to), { ocr: "auto" })).toThrow("ocr");
    }
  });

  test("makes documents and workbooks of pictures in one step", () => {
    for (const from of ["jpg", "png", "webp", "tiff", "gif", "avif"] as const) {
      for (const to of ["txt", "docx", "xlsx"] as const) {
        const route = planRoutes(new Set(engineIds)).find(from, to);
        expect(route?.steps.map(({ engine }) => engine)).toEqual(["tesseract"]);
      }
    }
  });
});

describe("a browser for drawings", () => {
  test.each([
    ["svg", "png"],
    ["svg", "ico"],
    ["svgz", "webp"],
    ["svg", "psd"],
  ] as const)("has a lane from %s to %s, and jobs start in the first lane", (from, to) => {
    const route = find(from, to);
    expect(route).toMatchObject({ lane: "fast", helperLane: "documents" });
    expect(route && laneOfJob(route, 1, {})).toBe("fast");
    expect(planRoutes(new Set(engineIds.filter((id) => id !== "chromium"))).find(from, to)?.helperLane).toBeUndefined();
  });

  test("does not help with pixels", () => {
    expect(find("png", "webp")?.helperLane).toBeUndefined();
  });
});

describe("a helper", () => {
  test("is the only one of a route, which says where it is with one word", () => {
    const helperOf = (step: { from: FormatId; to: FormatId; engine: string }) =>
      conversions.find(({ from, to, engine }) => from === step.from && to === step.to && engine === step.engine)
        ?.helper;
    const several = all.filter(({ steps }) => new Set(steps.map(helperOf).filter(Boolean)).size > 1);
    expect(several.map(({ from, to }) => `${from} to ${to}`)).toEqual([]);
    expect(all.filter(({ steps, helperLane }) => steps.some(helperOf) && helperLane === undefined)).toEqual([]);
  });
});
