import { describe, expect, it } from "vitest";
import {
  fieldsOf,
  formValuesOf,
  serverErrors,
  stepOf,
  valuesOf,
} from "../../dashboard/pages/convert/options/schema-form.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";

/** The schemas that the service lists. */
const fields = fieldsOf(
  optionsJsonSchema({
    options: [
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
    ],
  }),
);
const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));

describe("the form of a conversion's options", () => {
  it("has a field of the right kind for each option", () => {
    expect(kinds).toEqual({
      quality: "number",
      lossless: "check",
      fit: "select",
      background: "color",
      rotate: "select",
      password: "password",
      sheet: "text",
      scale: "number",
      header: "check",
      trim_start: "text",
    });
    expect(fields.find(({ name }) => name === "trim_start")?.title).toBe("Trim start");
  });

  it("has a slider for a range with a default that has few enough steps", () => {
    const number = { type: "integer", minimum: 1, maximum: 100 };
    const kindOf = (schema: object) => fieldsOf({ properties: { one: schema } })[0]?.kind;
    expect(kindOf({ ...number, default: 80 })).toBe("range");
    expect(kindOf(number)).toBe("number");
    expect(kindOf({ ...number, maximum: 16_383, default: 800 })).toBe("number");
    const opacity = { type: "number", minimum: 0.01, maximum: 1, default: 0.3 };
    expect([kindOf(opacity), stepOf(opacity)]).toEqual(["range", 0.01]);
    const [field] = fieldsOf({ properties: { one: { ...number, default: 80 } } });
    expect(valuesOf(field ? [field] : [], { one: "85" }).values).toEqual({ one: 85 });
    expect(valuesOf(field ? [field] : [], { one: "800" }).errors.get("one")?.reason).toBe("range");
  });

  it("has no fields for an empty or invalid schema", () => {
    expect([{}, null, "x", { properties: [] }, { properties: { a: 1 } }].flatMap(fieldsOf)).toEqual([]);
  });

  it("accepts structures as JSON, and has a file field for an upload", () => {
    const paper = fieldsOf(optionsJsonSchema({ options: ["bookmarks", "form_data", "watermark_upload_id"] }));
    expect(paper.map(({ kind }) => kind)).toEqual(["json", "json", "upload"]);
    const values = { bookmarks: [{ title: "One", page: 1 }], form_data: { name: "Ada" } };
    expect(valuesOf(paper, formValuesOf(paper, values))).toEqual({ values, errors: new Map() });
    expect([...valuesOf(paper, { form_data: "{" }).errors.values()].map(({ reason }) => reason)).toEqual(["format"]);
  });

  it("lets users turn off what may be on by default", () => {
    const web = fieldsOf(optionsJsonSchema({ options: ["javascript"] }));
    expect(web[0]).toMatchObject({ kind: "select", choices: [true, false] });
    expect(["true", "false", ""].map((text) => valuesOf(web, { javascript: text }).values)).toEqual([
      { javascript: true },
      { javascript: false },
      {},
    ]);
    expect(formValuesOf(web, { javascript: false })).toEqual({ javascript: "false" });
  });

  it("has several lines for headers and templates", () => {
    const web = fieldsOf(optionsJsonSchema({ options: ["request_headers", "header_template", "cookies"] }));
    expect(web.map(({ kind }) => kind).sort()).toEqual(["lines", "lines", "text"]);
    const headers = "X-One: 1\nX-Two: 2";
    expect(valuesOf(web, { request_headers: headers }).values).toEqual({ request_headers: headers });
  });

  it("has checkboxes for a list of choices", () => {
    const lists = fieldsOf({ properties: { keep: { type: "array", items: { enum: ["a", "b", 3] } } } });
    expect(lists[0]).toMatchObject({ kind: "checks", choices: ["a", "b", 3] });
    expect(valuesOf(lists, { keep: "a\n3" }).values).toEqual({ keep: ["a", 3] });
  });

  it("knows the defaults and does not send them", () => {
    expect(fields.find(({ name }) => name === "header")?.isOnByDefault).toBe(true);
    expect(valuesOf(fields, {}).values).toEqual({});
    expect(valuesOf(fields, { header: "true", lossless: "false", quality: "" }).values).toEqual({});
    expect(valuesOf(fields, { header: "false", lossless: "true" }).values).toEqual({ header: false, lossless: true });
  });

  it("sends numbers as numbers and text as text", () => {
    const formValues = {
      quality: "80",
      rotate: "90",
      scale: "0,5",
      sheet: "2",
      trim_start: "12.5",
      background: "#FFF",
    };
    expect(valuesOf(fields, formValues)).toEqual({
      values: { quality: 80, rotate: 90, scale: 0.5, sheet: 2, trim_start: 12.5, background: "#FFF" },
      errors: new Map(),
    });
    expect(valuesOf(fields, { sheet: "Sales", trim_start: "1:02:03" }).values).toEqual({
      sheet: "Sales",
      trim_start: "1:02:03",
    });
  });

  it.each([
    ["quality", "500", { reason: "range", minimum: 1, maximum: 100 }],
    ["quality", "1.5", { reason: "integer" }],
    ["quality", "much", { reason: "number" }],
    ["background", "red", { reason: "format" }],
    ["password", "x".repeat(201), { reason: "length", maximum: 200 }],
    ["trim_start", "later", { reason: "format" }],
  ])("rejects the %s %s before it is sent", (name, text, expected) => {
    const { values, errors } = valuesOf(fields, { [name]: text });
    expect(errors.get(name)).toMatchObject(expected);
    expect(values).toEqual({});
  });

  it("can be filled from options that were sent", () => {
    const values = { quality: 80, lossless: true, rotate: 90, sheet: "Sales" };
    const formValues = formValuesOf(fields, values);
    expect(formValues).toEqual({ quality: "80", lossless: "true", rotate: "90", sheet: "Sales" });
    expect(valuesOf(fields, formValues).values).toEqual(values);
  });

  it("assigns the service's errors to their fields", () => {
    const errors = [
      { pointer: "/options/quality", detail: "Too large." },
      { pointer: "/options/a~1b", detail: "Odd." },
      { pointer: "/target_format", detail: "Elsewhere." },
    ];
    expect([...serverErrors(errors)]).toEqual([
      ["quality", "Too large."],
      ["a/b", "Odd."],
    ]);
  });
});
