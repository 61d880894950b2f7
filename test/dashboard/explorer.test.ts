import { describe, expect, test } from "vitest";
import { byFamily, type Format, formatMeant, formatsLike } from "../../dashboard/pages/formats/find.ts";
import { optionRows } from "../../dashboard/pages/formats/option-rows.ts";
import { engineRows, LONG_WAIT_MS, paceOf } from "../../dashboard/pages/status/engines.ts";
import { formats as known } from "../../functions/domain/formats.ts";
import { optionsJsonSchema } from "../../functions/domain/options-json.ts";

/** All formats of the service, as it lists them. */
const formats: readonly Format[] = known.map(({ id, name, family, extensions, mediaTypes }) => ({
  id,
  name,
  family,
  extensions: [...extensions],
  media_types: [...mediaTypes],
  readable: true,
  writable: true,
  engines: family === "image" ? ["sharp"] : ["other"],
}));

describe("finding a format", () => {
  test.each([
    ["heic", "heic"],
    [".docx", "docx"],
    [" .DOCX ", "docx"],
    ["image/png", "png"],
    ["text/html; charset=utf-8", "html"],
    ["holiday.JPEG", "jpg"],
    ["a.b.tar.gz", "tar.gz"],
    ["C:\\scans\\page.tif", "tiff"],
  ])("%s means %s", (typed, id) => {
    expect(formats.find((format) => format.id === formatMeant(formats, typed)?.id)?.extensions[0]).toBe(
      formats.find((format) => format.id === id || format.extensions.includes(id))?.extensions[0],
    );
  });

  test.each(["", "  ", ".", "nonsense", "no.such.ending", "<img>", "__proto__", "constructor"])(
    "%j means none",
    (typed) => {
      expect(formatMeant(formats, typed)).toBeUndefined();
    },
  );

  test("everything is shown when nothing is typed, the likeliest first when something is", () => {
    expect(formatsLike(formats, "")).toHaveLength(formats.length);
    expect(formatsLike(formats, "png")[0]?.id).toBe("png");
    expect(formatsLike(formats, "open").map(({ name }) => name)).toContain("OpenDocument text");
    expect(formatsLike(formats, "holiday.heic").map(({ id }) => id)).toContain("heic");
    expect(formatsLike(formats, "zzzz")).toEqual([]);
  });

  test("every format is in one family, also in one that is not known here", () => {
    const groups = byFamily([...formats, { ...(formats[0] as Format), id: "new", family: "holograms" }]);
    expect(groups.flatMap((group) => group.formats)).toHaveLength(formats.length + 1);
    expect(groups.at(0)?.family).toBe("image");
    expect(groups.at(-1)?.family).toBe("holograms");
    expect(
      byFamily(formats, "font")
        .map(({ family }) => family)
        .slice(0, 2),
    ).toEqual(["font", "image"]);
  });
});

test("every option of the service is a row with its kind and what it may be", () => {
  const rows = optionRows(optionsJsonSchema(["quality", "fit", "strip_metadata", "trim_start", "delimiter", "pages"]));
  const of = (name: string) => rows.find((row) => row.name === name);
  expect(of("quality")).toMatchObject({ kind: "integer", least: 1, most: 100, words: [] });
  expect(of("fit")).toMatchObject({ kind: "text", words: ["inside", "outside", "cover", "contain", "fill"] });
  expect(of("strip_metadata")).toMatchObject({ kind: "boolean" });
  expect(of("trim_start")).toMatchObject({ kind: "text", least: 0, most: 86_400 });
  expect(of("delimiter")?.words).toContain("\\t");
  expect(rows.every(({ description }) => description !== "")).toBe(true);
  expect(of("trim_start")?.description).toContain("begins");
  expect(optionRows({})).toEqual([]);
});

describe("the state of the service", () => {
  test("an engine is shown with the families of the formats that hang on it", () => {
    const pictures = formats.filter(({ id }) => ["jpg", "png", "webp"].includes(id));
    const rows = engineRows({ sharp: "0.35.5", ffmpeg: "system", icu: "v1.2" }, pictures);
    expect(rows.map(({ name, version }) => [name, version])).toEqual([
      ["ffmpeg", undefined],
      ["icu", "1.2"],
      ["sharp", "0.35.5"],
    ]);
    expect(rows.at(-1)?.families).toEqual([["image", 3]]);
    expect(rows.at(0)?.families).toEqual([]);
  });

  test("a conversion is late when it has waited for more than a minute, and not while it runs", () => {
    const now = Date.parse("2026-11-22T10:00:00Z");
    const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();
    const job = { created_at: ago(LONG_WAIT_MS + 1), finished_at: null };
    const pace = paceOf(
      [
        { ...job, status: "queued" },
        { ...job, status: "processing" },
        { ...job, status: "queued", created_at: ago(1_000) },
        { ...job, status: "completed", finished_at: ago(5_000) },
        { ...job, status: "failed", finished_at: ago(2_000) },
      ],
      now,
    );
    expect(pace).toEqual({ late: 1, unfinished: 3, lastEnd: ago(2_000) });
    expect(paceOf([], now)).toEqual({ late: 0, unfinished: 0, lastEnd: undefined });
  });
});
