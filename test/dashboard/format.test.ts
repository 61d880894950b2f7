import { expect, it } from "vitest";
import { bytes, duration, percent, relative } from "../../dashboard/format.ts";

it.each([
  [0, "0 byte"],
  [999, "999 byte"],
  [1_000, "1 kB"],
  [2_400_000, "2.4 MB"],
  [5_000_000_000, "5 GB"],
  [5_000_000_000_000, "5,000 GB"],
])("formats %d bytes in the most readable unit", (value, text) => {
  expect(bytes(value).replace("bytes", "byte")).toBe(text);
});

it.each([
  [1_234, "1.2 sec"],
  [90_000, "90 sec"],
  [180_000, "3 min"],
  [7_200_000, "2 hr"],
  [86_400_000, "24 hr"],
])("formats %d milliseconds in the most readable unit", (value, text) => {
  expect(duration(value)).toBe(text);
});

it("formats a time relative to now, in the past and in the future", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  expect(relative("2026-11-22T11:59:40Z", now)).toBe("just now");
  expect(relative("2026-11-22T12:00:30Z", now)).toBe("in 30 seconds");
  expect(relative("2026-11-22T11:57:00Z", now)).toBe("3 minutes ago");
  expect(relative("2026-11-24T12:00:00Z", now)).toBe("in 2 days");
});

it("formats a percentage", () => {
  expect(percent(37)).toBe("37%");
});
