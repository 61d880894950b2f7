import { describe, expect, it } from "vitest";
import { fieldsOf, filledOf, refusedFields, valuesOf } from "../../dashboard/pages/convert/schema-form.ts";
import { optionsJsonSchema } from "../../functions/domain/options-json.ts";

/** The schemas are those that the service lists. */
const fields = fieldsOf(
  optionsJsonSchema([
    "quality",
    "lossless",
    "fit",
    "background",
    "rotate",
    "password",
    "sheet",
    "scale",
    "header",
    "trim_start",
  ]),
);
const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));

describe("the form of a conversion's options", () => {
  it("has a field for each, of the kind that fits", () => {
    expect(kinds).toEqual({
      quality: "number",
      lossless: "check",
      fit: "select",
      background: "text",
      rotate: "select",
      password: "password",
      sheet: "text",
      scale: "number",
      header: "check",
      trim_start: "text",
    });
    expect(fields.find(({ name }) => name === "trim_start")?.title).toBe("Trim start");
  });

  it("has no field for a schema that has no options, or is none", () => {
    expect([{}, null, "x", { properties: [] }, { properties: { a: 1 } }].flatMap(fieldsOf)).toEqual([]);
  });

  it("has checks for a list of what can be chosen", () => {
    const lists = fieldsOf({ properties: { keep: { type: "array", items: { enum: ["a", "b", 3] } } } });
    expect(lists[0]).toMatchObject({ kind: "checks", choices: ["a", "b", 3] });
    expect(valuesOf(lists, { keep: "a\n3" }).values).toEqual({ keep: ["a", 3] });
  });

  it("knows what happens without an option, and sends nothing for it", () => {
    expect(fields.find(({ name }) => name === "header")?.usual).toBe(true);
    expect(valuesOf(fields, {}).values).toEqual({});
    expect(valuesOf(fields, { header: "true", lossless: "false", quality: "" }).values).toEqual({});
    expect(valuesOf(fields, { header: "false", lossless: "true" }).values).toEqual({ header: false, lossless: true });
  });

  it("sends numbers as numbers and texts as texts", () => {
    const filled = { quality: "80", rotate: "90", scale: "0,5", sheet: "2", trim_start: "12.5", background: "#FFF" };
    expect(valuesOf(fields, filled)).toEqual({
      values: { quality: 80, rotate: 90, scale: 0.5, sheet: 2, trim_start: 12.5, background: "#FFF" },
      faults: new Map(),
    });
    expect(valuesOf(fields, { sheet: "Sales", trim_start: "1:02:03" }).values).toEqual({
      sheet: "Sales",
      trim_start: "1:02:03",
    });
  });

  it.each([
    ["quality", "500", { reason: "range", minimum: 1, maximum: 100 }],
    ["quality", "1.5", { reason: "whole" }],
    ["quality", "much", { reason: "number" }],
    ["background", "red", { reason: "form" }],
    ["password", "x".repeat(201), { reason: "long", maximum: 200 }],
    ["trim_start", "later", { reason: "form" }],
  ])("says what is wrong with %s before %s is sent", (name, text, fault) => {
    const { values, faults } = valuesOf(fields, { [name]: text });
    expect(faults.get(name)).toMatchObject(fault);
    expect(values).toEqual({});
  });

  it("shows again what was sent", () => {
    const values = { quality: 80, lossless: true, rotate: 90, sheet: "Sales" };
    const filled = filledOf(fields, values);
    expect(filled).toEqual({ quality: "80", lossless: "true", rotate: "90", sheet: "Sales" });
    expect(valuesOf(fields, filled).values).toEqual(values);
  });

  it("puts what the service refused at its field", () => {
    const errors = [
      { pointer: "/options/quality", detail: "Too large." },
      { pointer: "/options/a~1b", detail: "Odd." },
      { pointer: "/target_format", detail: "Elsewhere." },
    ];
    expect([...refusedFields(errors)]).toEqual([
      ["quality", "Too large."],
      ["a/b", "Odd."],
    ]);
  });
});
