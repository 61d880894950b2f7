import { expect, test } from "vitest";
import { chosenPages, plainRanges } from "../../functions/domain/conversions/page-ranges.ts";

test.each([
  [undefined, [1, 2, 3, 4, 5]],
  ["2", [2]],
  ["2-4", [2, 3, 4]],
  ["4-", [4, 5]],
  [" 5 , 1 - 2 ", [5, 1, 2]],
  ["1,1-2,2", [1, 2]],
  ["4-900", [4, 5]],
  ["0-1", [1]],
  ["1-99999999999", [1, 2, 3, 4, 5]],
  ["!2", [1, 3, 4, 5]],
  ["!2,! 4-", [1, 3]],
  ["4-,1-3,!2", [4, 5, 1, 3]],
])("%s of five pages is %j", (ranges, pages) => {
  expect(chosenPages(ranges, 5)).toEqual(pages);
});

test.each(["6", "6-", "3-2", "0", "2,!2", "!1-"])("pages %s do not exist and are rejected", (ranges) => {
  expect(() => chosenPages(ranges, 5)).toThrow(expect.objectContaining({ code: "unsupported_feature" }));
});

test.each([
  [undefined, "1-5"],
  ["2", "2"],
  ["!2,!4", "1,3,5"],
  ["4-,1-2", "4-5,1-2"],
  ["6", ""],
])("%s of five pages is the range %j of a program", (ranges, plain) => {
  expect(plainRanges(ranges, 5)).toBe(plain);
});
