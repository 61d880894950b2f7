import { expect, test } from "vitest";
import { optionGroups } from "../../functions/domain/conversions/options/groups.ts";
import { optionNames } from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";

test("each option is in exactly one group, and no group has an option that does not exist", () => {
  expect(Object.values(optionGroups).flat().sort()).toEqual([...optionNames].sort());
});

test("the JSON Schema of an option has its group, also with a narrower range", () => {
  const { properties } = optionsJsonSchema({ options: ["pages", "quality"], rules: { quality: { default: 5 } } });
  expect(properties).toMatchObject({
    pages: { "x-group": "pages" },
    quality: { "x-group": "compression", default: 5 },
  });
});
