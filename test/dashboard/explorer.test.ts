import { describe, expect, test } from "vitest";
import { optionRows } from "../../dashboard/pages/formats/option-rows.ts";
import { byFamily, exactFormat, type Format, searchFormats } from "../../dashboard/pages/formats/search.ts";
import { backlogOf, LONG_WAIT_MS } from "../../dashboard/pages/status/backlog.ts";
import { dayBars } from "../../dashboard/pages/status/history.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { formats as known } from "../../functions/domain/formats/formats.ts";

/** All formats of the service, as it lists them. */
const formats: readonly Format[] = known.map(({ id, name, family, extensions }) => ({
  id,
  name,
  family,
  extensions: [...extensions],
  writable: true,
  targets: [],
}));

describe("finding a format", () => {
  test.each([
    ["heic", "heic"],
    [".docx", "docx"],
    [" .DOCX ", "docx"],
    ["holiday.JPEG", "jpg"],
    ["a.b.tar.gz", "tar.gz"],
    ["C:\\scans\\page.tif", "tiff"],
  ])("%j matches %s exactly", (typed, id) => {
    expect(formats.find((format) => format.id === exactFormat(formats, typed)?.id)?.extensions[0]).toBe(
      formats.find((format) => format.id === id || format.extensions.includes(id))?.extensions[0],
    );
  });

  test.each(["", "  ", ".", "nonsense", "no.such.ending", "<img>", "__proto__", "constructor"])(
    "%j matches no format exactly",
    (typed) => {
      expect(exactFormat(formats, typed)).toBeUndefined();
    },
  );

  test("lists all formats without a query, and the best match first with one", () => {
    expect(searchFormats(formats, "")).toHaveLength(formats.length);
    expect(searchFormats(formats, "png")[0]?.id).toBe("png");
    expect(searchFormats(formats, "open").map(({ name }) => name)).toContain("OpenDocument text");
    expect(searchFormats(formats, "holiday.heic").map(({ id }) => id)).toContain("heic");
    expect(searchFormats(formats, "zzzz")).toEqual([]);
  });

  test("puts every format into one family, including unknown families", () => {
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

test("every option of the service is a row with its type and allowed values", () => {
  const rows = optionRows(
    optionsJsonSchema({ options: ["quality", "fit", "lossless", "trim_start", "delimiter", "pages"] }),
  );
  const of = (name: string) => rows.find((row) => row.name === name);
  expect(of("quality")).toMatchObject({ kind: "integer", min: 1, max: 100, words: [] });
  expect(of("fit")).toMatchObject({ kind: "text", words: ["inside", "outside", "cover", "contain", "fill"] });
  expect(of("lossless")).toMatchObject({ kind: "boolean", initial: "false" });
  expect([of("fit")?.initial, of("trim_start")?.initial]).toEqual(["inside", undefined]);
  expect(of("trim_start")).toMatchObject({ kind: "text", min: 0, max: 86_400 });
  expect(of("delimiter")?.words).toContain("\\t");
  expect(rows.every(({ description }) => description !== "")).toBe(true);
  expect(of("trim_start")?.description).toContain("Start time");
  expect(optionRows({})).toEqual([]);
});

describe("the state of the service", () => {
  test("shows a bar for each of the days, and grades a day by its share of success", () => {
    const day = (date: string, success: number) => ({ date, success, median_ms: 50 });
    const days = [day("2026-11-21", 1), day("2026-11-22", 0.96), day("2026-11-23", 0.5)];
    const engine = { engine: "sharp", success: 0.9, median_ms: 50, p95_ms: 90, days };
    expect(dayBars(engine, "2026-11-20", "2026-11-23").map(({ date, level }) => [date, level])).toEqual([
      ["2026-11-20", "none"],
      ["2026-11-21", "good"],
      ["2026-11-22", "warning"],
      ["2026-11-23", "bad"],
    ]);
  });

  test("counts a conversion as delayed after a minute in the queue, and not while it runs", () => {
    const now = Date.parse("2026-11-22T10:00:00Z");
    const timeAgo = (milliseconds: number) => new Date(now - milliseconds).toISOString();
    const job = { created_at: timeAgo(LONG_WAIT_MS + 1), finished_at: null };
    const backlog = backlogOf(
      [
        { ...job, status: "queued" },
        { ...job, status: "processing" },
        { ...job, status: "queued", created_at: timeAgo(1_000) },
        { ...job, status: "completed", finished_at: timeAgo(5_000) },
        { ...job, status: "failed", finished_at: timeAgo(2_000) },
      ],
      now,
    );
    expect(backlog).toEqual({ delayed: 1, unfinished: 3, lastEnd: timeAgo(2_000) });
    expect(backlogOf([], now)).toEqual({ delayed: 0, unfinished: 0, lastEnd: undefined });
  });
});
