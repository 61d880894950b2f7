import { expect, it } from "vitest";
import { bytes, duration, relative } from "../../dashboard/format.ts";

it.each([
  [0, "0 byte"],
  [999, "999 byte"],
  [1_000, "1 kB"],
  [2_400_000, "2.4 MB"],
  [5_000_000_000, "5 GB"],
  [5_000_000_000_000, "5,000 GB"],
])("shows %d bytes in the unit that is read best", (value, text) => {
  expect(bytes(value).replace("bytes", "byte")).toBe(text);
});

it.each([
  [1_234, "1.2 sec"],
  [90_000, "90 sec"],
  [180_000, "3 min"],
  [7_200_000, "2 hr"],
  [86_400_000, "24 hr"],
])("shows %d milliseconds in the unit that is read best", (value, text) => {
  expect(duration(value)).toBe(text);
});

it("tells a time as seen from now, both ways", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  expect(relative("2026-11-22T11:59:40Z", now)).toBe("now");
  expect(relative("2026-11-22T11:57:00Z", now)).toBe("3 minutes ago");
  expect(relative("2026-11-24T12:00:00Z", now)).toBe("in 2 days");
});
