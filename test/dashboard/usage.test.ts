import { describe, expect, test } from "vitest";
import { groupsOf, type UsageDetail } from "../../dashboard/pages/usage/breakdown.ts";
import {
  busiestOf,
  type Day,
  dayAt,
  dayByKey,
  daysInMonth,
  layoutOf,
  sumOf,
  totalsOf,
} from "../../dashboard/pages/usage/chart-layout.ts";
import { monthName, monthsBack, requestedMonth, resetOf } from "../../dashboard/pages/usage/months.ts";

const QUIET = { upload: 0, convert: 0, download: 0, completed: 0, failed: 0, cancelled: 0 };
const day = (date: string, counts: Partial<Day> = {}): Day => ({ ...QUIET, ...counts, date });

describe("the chart", () => {
  test("stacks the bars of a day in the order of the view, up to the day's total", () => {
    const { bars, height, ticks } = layoutOf(
      [day("2026-11-01", { upload: 1, convert: 3, download: 4 })],
      "byOperation",
    );
    const top = Math.max(...ticks.map(({ value }) => value));
    expect(bars.map(({ kind }) => kind)).toEqual(["upload", "convert", "download"]);
    expect(bars[0]?.y).toBeCloseTo(height - height / top);
    expect(bars[1]?.y).toBeCloseTo(height - (4 * height) / top);
    expect(bars[2]?.y).toBeCloseTo(height - (8 * height) / top);
    for (const [index, bar] of bars.entries()) {
      expect(bar.y + bar.height).toBeCloseTo(bars[index - 1]?.y ?? height);
    }
  });

  test("keeps bars inside the chart for any numbers", () => {
    for (const most of [0, 1, 3, 4, 5, 7, 19, 99, 100, 101, 4_999, 5_000, 123_456_789]) {
      const days = [day("2026-11-01", { upload: most }), day("2026-11-02", { convert: Math.ceil(most / 3) })];
      const { bars, height, width } = layoutOf(days, "byOperation");
      for (const bar of bars) {
        expect(bar.y).toBeGreaterThanOrEqual(0);
        expect(bar.y + bar.height).toBeLessThanOrEqual(height + 1e-6);
        expect(bar.x + bar.width).toBeLessThanOrEqual(width);
      }
    }
  });

  test("has two to five ticks at integers, from 0 to at least the highest day", () => {
    for (const most of [0, 1, 2, 3, 9, 19, 47, 100, 5_000, 1_234_567]) {
      const values = layoutOf([day("2026-11-01", { upload: most })], "byOperation").ticks.map(({ value }) => value);
      expect(values[0]).toBe(0);
      expect(values.length).toBeGreaterThanOrEqual(2);
      expect(values.length).toBeLessThanOrEqual(5);
      expect(values.at(-1)).toBeGreaterThanOrEqual(most);
      expect(values.every(Number.isInteger)).toBe(true);
    }
  });

  test("counts only the kinds of the view", () => {
    const one = day("2026-11-01", { upload: 5, completed: 2, failed: 1 });
    expect(sumOf(one, "byOperation")).toBe(5);
    expect(sumOf(one, "byResult")).toBe(3);
    expect(totalsOf([one, one])).toEqual({ ...QUIET, upload: 10, completed: 4, failed: 2 });
  });

  test("finds the busiest day, and none without usage", () => {
    const days = [day("2026-11-01"), day("2026-11-02", { convert: 3 }), day("2026-11-03", { convert: 2 })];
    expect(busiestOf(days, "byOperation")?.date).toBe("2026-11-02");
    expect(busiestOf(days, "byResult")).toBeUndefined();
    expect(busiestOf([], "byResult")).toBeUndefined();
  });

  test("selects the day under the pointer, and today beyond today", () => {
    expect(["2026-11-01", "2026-12-05", "2028-02-01"].map(daysInMonth)).toEqual([30, 31, 29]);
    expect(dayAt(0, 22)).toBe(0);
    expect(dayAt(1.5 / 31, 22)).toBe(1);
    expect(dayAt(0.99, 22)).toBe(21);
    expect(dayAt(-0.1, 22)).toBe(0);
  });

  test("moves between the days of the month by arrow keys, and ignores other keys", () => {
    expect(dayByKey("ArrowRight", 3, 22)).toBe(4);
    expect(dayByKey("ArrowRight", 21, 22)).toBe(21);
    expect(dayByKey("ArrowLeft", 0, 22)).toBe(0);
    expect(dayByKey("PageDown", 9, 22)).toBe(2);
    expect(dayByKey("Home", 9, 22)).toBe(0);
    expect(dayByKey("End", 9, 22)).toBe(21);
    expect(dayByKey("Tab", 9, 22)).toBeUndefined();
    expect(dayByKey("toString", 9, 22)).toBeUndefined();
  });
});

describe("the breakdown of a month", () => {
  const row = (overrides: Partial<UsageDetail>): UsageDetail => ({
    date: "2026-11-01",
    key_id: "key_1",
    source_format: "png",
    target_format: "jpg",
    status: "completed",
    error_code: null,
    jobs: 1,
    bytes_in: 10,
    bytes_out: 5,
    ...overrides,
  });
  const rows = [
    row({}),
    row({ date: "2026-11-02", jobs: 2, key_id: null }),
    row({ status: "failed", error_code: "source_corrupt", bytes_out: 0 }),
    row({ status: "cancelled", target_format: "pdf", bytes_out: 0 }),
  ];

  test("adds the days of each key, with the most jobs first", () => {
    expect(groupsOf(rows, "key")).toEqual([
      { id: "key_1", completed: 1, failed: 1, cancelled: 1, bytesIn: 30, bytesOut: 5 },
      { id: "", completed: 2, failed: 0, cancelled: 0, bytesIn: 10, bytesOut: 5 },
    ]);
  });

  test("groups by pair of formats, and failed jobs by error", () => {
    expect(groupsOf(rows, "conversion").map(({ id }) => id)).toEqual(["png → jpg", "png → pdf"]);
    expect(groupsOf(rows, "error")).toEqual([
      { id: "source_corrupt", completed: 0, failed: 1, cancelled: 0, bytesIn: 10, bytesOut: 0 },
    ]);
  });
});

describe("months", () => {
  const NOW = Date.parse("2026-01-31T23:59:59Z");

  test("include the current month and the 24 before it, each once", () => {
    const months = monthsBack(NOW);
    expect(months).toHaveLength(25);
    expect(months.slice(0, 3)).toEqual(["2026-01", "2025-12", "2025-11"]);
    expect(months.at(-1)).toBe("2024-01");
    expect(new Set(months).size).toBe(25);
  });

  test("start with the one in which the account was created, but include the current one", () => {
    expect(monthsBack(NOW, "2025-11")).toEqual(["2026-01", "2025-12", "2025-11"]);
    expect(monthsBack(NOW, "2026-02")).toEqual(["2026-01"]);
  });

  test("fall back to the current month for a link to an unavailable month", () => {
    expect(requestedMonth("2025-12", NOW)).toBe("2025-12");
    for (const text of [null, "", "2026-02", "1999-01", "2025-13", "<script>"]) {
      expect(requestedMonth(text, NOW)).toBe("2026-01");
    }
  });

  test("reset the quota at the start of the next UTC month", () => {
    expect(resetOf("2026-11")).toBe("2026-12-01T00:00:00.000Z");
    expect(resetOf("2026-12")).toBe("2027-01-01T00:00:00.000Z");
  });

  test("are named in the user's language, in any time zone", () => {
    expect(monthName("2026-11", "en")).toBe("November 2026");
    expect(monthName("2026-03", "de")).toBe("März 2026");
  });
});
