import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { jobOptions } from "../../functions/domain/conversions/job-options.ts";
import { type OptionName, optionNames, optionsSchema } from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { planRoutes, type Route } from "../../functions/domain/conversions/plan.ts";
import { RequestError } from "../../functions/domain/errors.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";

const routes = planRoutes(new Set(engineIds));

const routeOf = (from: FormatId, to: FormatId, options: object): Route => {
  const route = routes.find(from, to, Object.keys(options));
  if (route === undefined) {
    throw new TypeError(`No route from ${from} to ${to}.`);
  }
  return route;
};

const accepted = (from: FormatId, to: FormatId, options: object) =>
  jobOptions(routes, routeOf(from, to, options), options);

const detailsOf = (from: FormatId, to: FormatId, options: object): string[] => {
  try {
    accepted(from, to, options);
  } catch (error) {
    if (error instanceof RequestError && error.code === "invalid_options") {
      return (error.extra.errors ?? []).map(({ detail }) => detail);
    }
    throw error;
  }
  return [];
};

describe("options that cannot work are rejected, with what the pair allows", () => {
  test.each<[FormatId, FormatId, object, string]>([
    ["mp4", "webm", { video_codec: "h264" }, "`video_codec` must be one of `vp9`, `av1`, `copy`."],
    ["mp4", "webm", { audio_codec: "mp3" }, "`audio_codec` must be one of `opus`, `vorbis`, `copy`."],
    ["mp4", "mov", { video_codec: "theora" }, "`video_codec` must be one of `h264`, `hevc`, `prores`, `copy`."],
    [
      "wav",
      "m4a",
      { audio_codec: "alacc" },
      '`audio_codec` must be one of `aac`, `alac`, `copy`. Did you mean "alac"?',
    ],
    ["wav", "mp3", { audio_bitrate: 1_000 }, "`audio_bitrate` must be an integer from 32 to 320."],
    ["wav", "mp3", { channels: 6 }, "`channels` must be an integer from 1 to 2."],
    ["wav", "mp3", { sample_rate: 96_000 }, "`sample_rate` must be an integer from 8000 to 48000."],
    ["wav", "opus", { audio_bitrate: 511 }, "`audio_bitrate` must be an integer from 12 to 510."],
    [
      "wav",
      "mka",
      { audio_codec: "mp3", audio_bitrate: 500 },
      "`audio_bitrate` must be an integer from 32 to 320 for the codec `mp3`.",
    ],
    ["mp4", "mp4", { crf: 60 }, "`crf` must be an integer from 0 to 51 for the codec `h264`."],
    ["mp4", "mov", { crf: 60 }, "`crf` must be an integer from 0 to 51."],
    ["gif", "mp4", { crf: 60 }, "`crf` must be an integer from 0 to 51."],
    [
      "mp4",
      "mov",
      { video_codec: "copy", width: 640 },
      "`video_codec` cannot be `copy` together with `width`, which needs encoding.",
    ],
    ["mp4", "gif", { trim_start: 10, trim_end: "0:05" }, "`trim_end` (5 s) must be after `trim_start` (10 s)."],
    ["jpg", "txt", { ocr: "off" }, "`ocr` cannot be `off`: an image has no other text."],
    ...["0", "0-3", "1,0", "3-1", "1,5-2"].map((pages): [FormatId, FormatId, object, string] => [
      "pdf",
      "png",
      { pages },
      "`pages` must be page numbers and ranges such as `1-3,7,9-` or `!2`, starting at 1, at most 500 characters.",
    ]),
    [
      "csv",
      "json",
      { encoding: "nope" },
      "`encoding` must be the name of an encoding in the WHATWG Encoding Standard, such as `utf-8` or `windows-1252`.",
    ],
    [
      "csv",
      "json",
      { encoding: "iso-2022-pj" },
      "`encoding` must be the name of an encoding in the WHATWG Encoding Standard, such as `utf-8` or `windows-1252`. " +
        'Did you mean "iso-2022-jp"?',
    ],
  ])("%s to %s with %j", (from, to, options, detail) => {
    expect(detailsOf(from, to, options)).toEqual([detail]);
  });

  test.each<[FormatId, FormatId, object]>([
    ["mp4", "mp4", { video_codec: "av1", crf: 60 }],
    ["mp4", "webm", { video_codec: "av1", audio_codec: "vorbis", crf: 63 }],
    ["wav", "mka", { audio_codec: "opus", audio_bitrate: 500 }],
    ["mp4", "gif", { trim_start: "0:05", trim_end: 10 }],
    ["pdf", "png", { pages: "1-3, 7 ,9-" }],
    ["pdf", "png", { pages: "3,1-1,02" }],
    ["csv", "json", { encoding: "Windows-1252" }],
    ["csv", "json", { encoding: "shift_jis" }],
  ])("%s to %s with %j is accepted", (from, to, options) => {
    expect(accepted(from, to, options)).toEqual({ options, warnings: [] });
  });
});

describe("options without effect are accepted with a warning", () => {
  test.each<[FormatId, FormatId, object, string]>([
    ["pdf", "pdf", { dpi: 72 }, "`dpi` has no effect without `ocr` or `ocr_language`."],
    ["pdf", "pdf", { dpi: 72, ocr: "off" }, "`dpi` has no effect because `ocr` is `off`."],
    ["png", "webp", { lossless: true, quality: 5 }, "`quality` has no effect because `lossless` is true."],
    ["png", "jpg", { width: 5, fit: "fill" }, "`fit` has no effect because `width` and `height` are not both set."],
    ["pdf", "png", { dpi: 72, width: 5 }, "`dpi` has no effect because `width` or `height` is set."],
    ["jpg", "pdf", { dpi: 72, page_size: "a4" }, "`dpi` has no effect because `page_size` is set."],
    ["pdf", "txt", { ocr: "off", ocr_language: "de" }, "`ocr_language` has no effect because `ocr` is `off`."],
    ["mp4", "mp4", { crf: 20, video_bitrate: 900 }, "`crf` has no effect because `video_bitrate` is set."],
    [
      "mp4",
      "mov",
      { video_codec: "prores", crf: 20 },
      "`crf` has no effect because the codec `prores` does not support it.",
    ],
    [
      "wav",
      "mka",
      { audio_bitrate: 96 },
      "`audio_bitrate` has no effect because the codec `flac` does not support it.",
    ],
    [
      "wav",
      "m4a",
      { audio_codec: "alac", audio_bitrate: 96 },
      "`audio_bitrate` has no effect because the codec `alac` does not support it.",
    ],
  ])("%s to %s with %j", (from, to, options, detail) => {
    expect(accepted(from, to, options)).toEqual({ options, warnings: [{ code: "option_without_effect", detail }] });
  });

  test.each<[FormatId, FormatId, object]>([
    ["pdf", "pdf", { dpi: 72, ocr: "auto" }],
    ["png", "webp", { lossless: false, quality: 5 }],
    ["png", "jpg", { width: 5, height: 5, fit: "fill" }],
    ["wav", "mka", { audio_codec: "opus", audio_bitrate: 96 }],
    ["wav", "mp3", { audio_bitrate: 96 }],
  ])("not %s to %s with %j", (from, to, options) => {
    expect(accepted(from, to, options).warnings).toEqual([]);
  });

  test("in a merge, images fit the first one without a size", () => {
    const route = routes.merge(["jpg", "png"], "gif", ["fit"]);
    expect(route && jobOptions(routes, route, { fit: "cover" }).warnings).toEqual([]);
    expect(route && (() => jobOptions(routes, route, { quality: 5 }))).toThrow("`quality` is not supported");
  });
});

describe("the JSON Schema of each pair", () => {
  const properties = (from: FormatId, to: FormatId) =>
    (optionsJsonSchema(routes.optionsOf(from, to)) as { properties: Record<OptionName, object> }).properties;

  test("has the codecs, ranges and defaults of the pair", () => {
    expect(properties("mp4", "webm").video_codec).toMatchObject({ enum: ["vp9", "av1", "copy"] });
    expect(properties("wav", "mp3").audio_bitrate).toMatchObject({ minimum: 32, maximum: 320 });
    expect(properties("png", "jpg").quality).toMatchObject({ minimum: 1, maximum: 100, default: 80 });
    expect(properties("png", "avif").quality).toMatchObject({ default: 70 });
    expect(properties("pdf", "png").dpi).toMatchObject({ default: 150 });
    expect(properties("html", "png").dpi).toMatchObject({ default: 96 });
    expect(properties("tar", "zip").level).toMatchObject({ minimum: 1, maximum: 9, default: 6 });
  });

  test("has no default that depends on the source", () => {
    for (const name of ["width", "fps", "sample_rate", "channels", "audio_bitrate", "video_codec", "crf"] as const) {
      expect(properties("mp4", "mp4")[name], name).not.toHaveProperty("default");
    }
    expect(properties("csv", "json").delimiter).not.toHaveProperty("default");
    expect(properties("jpg", "pdf").dpi).not.toHaveProperty("default");
  });

  test("is shared by pairs with the same options, and created once", () => {
    const schemas = routes.all.map(({ from, to }) => optionsJsonSchema(routes.optionsOf(from, to)));
    expect(new Set(schemas).size).toBeLessThan(200);
    expect(new Set(schemas.map((schema) => JSON.stringify(schema))).size).toBe(new Set(schemas).size);
    expect(optionsJsonSchema(routes.optionsOf("png", "jpg"))).toBe(optionsJsonSchema(routes.optionsOf("png", "jpg")));
  });

  const ajv = new Ajv2020({ strict: false });
  const general = ajv.compile(optionsJsonSchema({ options: optionNames }));
  const distinct = new Map(
    routes.all.map(({ from, to }) => {
      const supported = routes.optionsOf(from, to);
      return [optionsSchema(supported), supported] as const;
    }),
  );

  test("accepts its defaults, and nothing that the option does not accept", () => {
    for (const supported of distinct.values()) {
      const schema = optionsJsonSchema(supported) as { properties: Record<string, { default?: unknown }> };
      const validate = ajv.compile(schema);
      for (const [name, property] of Object.entries(schema.properties)) {
        const { default: value, minimum, maximum, enum: choices = [] } = property as Record<string, never>;
        const values = [value, minimum, maximum, ...choices].filter((one) => one !== undefined);
        for (const options of values.map((one) => ({ [name]: one }))) {
          expect([validate(options), general(options)], JSON.stringify(options)).toEqual([true, true]);
        }
      }
    }
  });

  test("has rules only for its options", () => {
    for (const { options, rules = {} } of distinct.values()) {
      expect(options).toEqual(expect.arrayContaining(Object.keys(rules)));
    }
  });
});
