import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { routes } from "../../functions/api/routes.ts";
import { allowedValues } from "../../functions/domain/allowed-values.ts";
import {
  checkOptions,
  type OptionName,
  optionNames,
  optionsSchema,
} from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { type FieldError, RequestError } from "../../functions/domain/errors.ts";
import { nearestName } from "../../functions/domain/nearest-name.ts";
import { FIELD_ERRORS_MAX, fieldErrors, summaryOf } from "../../functions/domain/schema.ts";

/** Default texts of Zod, with and without a locale. */
const ZOD_TEXT =
  /invalid (?:input|string|option|key|url|iso)|too (?:big|small)|expected|received|unrecognized|pattern/i;

const errorsOf = (schema: z.ZodMiniType, input: unknown): FieldError[] => {
  const { error } = schema.safeParse(input);
  return error === undefined ? [] : fieldErrors({ schema, input, error });
};
const detailsOf = (schema: z.ZodMiniType, input: unknown): string[] =>
  errorsOf(schema, input).map(({ detail }) => detail);

const rejected = (names: readonly OptionName[], options: unknown): RequestError => {
  try {
    checkOptions({ options: names }, options);
  } catch (error) {
    if (error instanceof RequestError) {
      return error;
    }
  }
  throw new TypeError("The options were accepted.");
};

describe("a validation message names the field and what is allowed", () => {
  const part = z.string().check(z.minLength(1), z.maxLength(3));
  const sample = z.strictObject({
    text: z.optional(part),
    long: z.optional(z.string().check(z.minLength(9))),
    code: z.optional(z.string().check(z.maxLength(9), z.regex(/^a+$/, "a code such as `aaa`"))),
    size: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
    ratio: z.optional(z.number().check(z.minimum(0.5))),
    below: z.optional(z.number().check(z.maximum(2))),
    flag: z.optional(z.boolean()),
    fit: z.optional(z.enum(["cover", "contain", "fill"])),
    turn: z.optional(z.literal([90, 180])),
    sheet: z.optional(z.union([part, z.int().check(z.minimum(1))])),
    list: z.optional(z.array(part).check(z.minLength(1), z.maxLength(2))),
    tags: z.optional(
      z.record(part, part).check(z.refine((tags) => Object.keys(tags).length < 3, "an object with at most 2 entries")),
    ),
    until: z.optional(z.nullable(z.iso.datetime({ offset: true }))),
    url: z.optional(z.url({ protocol: /^https?$/ })),
    target_format: z.optional(z.string()),
  });

  it.each([
    ["a wrong type", { text: 5 }, "`text` must be a string of 1 to 3 characters."],
    ["a short text", { text: "" }, "`text` must be a string of 1 to 3 characters."],
    ["a long text", { text: "abcd" }, "`text` must be a string of 1 to 3 characters."],
    ["a minimum length", { long: "a" }, "`long` must be a string of at least 9 characters."],
    ["a pattern", { code: "b" }, "`code` must be a code such as `aaa`, at most 9 characters."],
    ["a text for a number", { size: "800" }, "`size` must be an integer from 1 to 100."],
    ["a large number", { size: 800 }, "`size` must be an integer from 1 to 100."],
    ["a fraction", { size: 1.5 }, "`size` must be an integer from 1 to 100."],
    ["a minimum", { ratio: 0 }, "`ratio` must be a number of at least 0.5."],
    ["a maximum", { below: 3 }, "`below` must be a number of at most 2."],
    ["a flag", { flag: "yes" }, "`flag` must be `true` or `false`."],
    ["a near choice", { fit: "covr" }, '`fit` must be one of `cover`, `contain`, `fill`. Did you mean "cover"?'],
    ["a far choice", { fit: "square" }, "`fit` must be one of `cover`, `contain`, `fill`."],
    ["a literal", { turn: 45 }, "`turn` must be `90` or `180`."],
    ["a union", { sheet: 0 }, "`sheet` must be a string of 1 to 3 characters or an integer of at least 1."],
    [
      "no type of a union",
      { sheet: true },
      "`sheet` must be a string of 1 to 3 characters or an integer of at least 1.",
    ],
    ["an empty array", { list: [] }, "`list` must be an array of 1 to 2 items."],
    ["an item", { list: ["a", 5] }, "`list[1]` must be a string of 1 to 3 characters."],
    ["a value of a record", { tags: { a: 5 } }, "`tags.a` must be a string of 1 to 3 characters."],
    ["a name of a record", { tags: { abcd: "a" } }, "Each name in `tags` must be a string of 1 to 3 characters."],
    ["a refinement", { tags: { a: "a", b: "b", c: "c" } }, "`tags` must be an object with at most 2 entries."],
    [
      "a time",
      { until: "tomorrow" },
      "`until` must be a date and time with a time zone, such as `2026-12-31T12:00:00Z`, or null.",
    ],
    ["a URL", { url: "ftp://example.com" }, "`url` must be an http or https URL."],
    ["another name", { target: "jpg" }, 'Unknown field "target". Did you mean "target_format"?'],
    ["a typing error", { sise: 1 }, 'Unknown field "sise". Did you mean "size"?'],
    ["no object", [], "The request body must be an object."],
    ["null", null, "The request body must be an object."],
  ])("%s", (_, input, detail) => {
    expect(detailsOf(sample, input)).toEqual([detail]);
  });

  it("says that a field is missing, and lists the fields that are supported", () => {
    const schema = z.strictObject({ name: z.string().check(z.maxLength(9)), kind: z.enum(["live", "test"]) });
    expect(detailsOf(schema, { colour: 1 })).toEqual([
      "`name` is required. It must be a string of at most 9 characters.",
      "`kind` is required. It must be `live` or `test`.",
      'Unknown field "colour". Supported fields: name, kind.',
    ]);
  });

  it("repeats three errors in the message for the request, and counts the others", () => {
    const errors = ["A.", "B.", "C.", "D.", "E."].map((detail) => ({ pointer: "", code: "", detail }));
    expect(summaryOf(errors)).toBe("A. B. C. Further errors: 2.");
    expect(summaryOf(errors.slice(0, 1))).toBe("A.");
  });

  it("reports a limited number of errors of a large body", () => {
    const input = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    expect(errorsOf(sample, input)).toHaveLength(FIELD_ERRORS_MAX);
    expect(errorsOf(sample, { tags: input })).toHaveLength(FIELD_ERRORS_MAX);
  });

  it("does not fail on names that objects inherit", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const input: unknown = JSON.parse(`{"${name}": 1, "tags": {"${name}": 5}}`);
      expect(detailsOf(sample, input).every((detail) => !detail.includes("[object"))).toBe(true);
    }
  });
});

describe("options", () => {
  it("suggests the nearest option, and lists the supported ones", () => {
    const { message, extra } = rejected(["quality", "fit"], { qualty: 5 });
    expect(extra.errors).toEqual([
      { pointer: "/options/qualty", code: "unknown", detail: 'Unknown option "qualty". Did you mean "quality"?' },
    ]);
    expect(message).toBe(
      'Invalid options for this conversion. Unknown option "qualty". Did you mean "quality"? Supported options: quality, fit.',
    );
  });

  it("distinguishes an option of other conversions from an unknown one", () => {
    const details = rejected(["quality"], { dpi: 300, zzz: 1 }).extra.errors?.map(({ detail }) => detail);
    expect(details).toEqual(["`dpi` is not supported for this conversion.", 'Unknown option "zzz".']);
  });

  const wrong: readonly unknown[] = [
    ...[null, true, "", "wrong", "\u0000", "x".repeat(600), -1, 0, 1.5, 1e9, 1e300, [], ["a"], {}, { a: 1 }, [null]],
  ];
  it.each(optionNames)("says what %s must be, whatever is sent", (name) => {
    const allowed = allowedValues(optionsSchema({ options: [name] }).shape[name] ?? z.never());
    for (const value of wrong) {
      const input = { [name]: value };
      for (const detail of detailsOf(optionsSchema({ options: [name] }), input)) {
        // A list names its member.
        const isOfMember = detail.startsWith(`\`${name}[`);
        expect(isOfMember || detail.startsWith(`\`${name}\` must be ${allowed}.`), detail).toBe(true);
        expect(detail).not.toMatch(ZOD_TEXT);
        expect(detail).toMatch(/^[^\n]{10,400}[.?]$/);
      }
    }
  });

  it("describes every option by more than its type, if it has more", () => {
    const vague = optionNames.filter((name) => {
      const words = allowedValues(optionsSchema({ options: [name] }).shape[name] ?? z.never());
      return words === "a string" || words === "a number" || words === "an integer" || words === "an object";
    });
    expect(vague).toEqual([]);
    expect(Object.keys(optionsJsonSchema({ options: optionNames }).properties ?? {})).toEqual(optionNames);
  });
});

describe("request bodies", () => {
  const bodies = routes.flatMap(({ id, body }) => (body === undefined ? [] : [[id, body] as const]));
  const wrong: readonly unknown[] = [
    null,
    true,
    "wrong",
    "",
    "x".repeat(9_000),
    -1,
    1.5,
    1e300,
    [],
    {},
    [null],
    { a: 1 },
  ];

  it.each(bodies)("%s never answers with a text of the validator", (_, schema) => {
    const names = schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
    const inputs = [...wrong, ...names.flatMap((name) => wrong.map((value) => ({ [name]: value })))];
    for (const input of inputs) {
      for (const { detail, pointer } of errorsOf(schema, input)) {
        expect(detail, pointer).not.toMatch(ZOD_TEXT);
        expect(detail, pointer).not.toMatch(/is not valid|must be a string\.$|must be \.|undefined|\[object/);
        expect(detail, pointer).toMatch(/[.?]$/);
      }
    }
  });
});

describe("the nearest name", () => {
  const names = ["quality", "width", "height", "target_format", "jpg", "jpeg", "mp3"];
  it.each([
    ["qualty", "quality"],
    ["qualtiy", "quality"],
    ["QUALITY", "quality"],
    ["jpge", "jpg"],
    ["jpe", "jpg"],
    ["mp4", "mp3"],
    ["target", "target_format"],
    ["format", "target_format"],
    ["hieght", "height"],
    ["colors", undefined],
    ["", undefined],
    ["q", undefined],
    ["x".repeat(1_000), undefined],
  ])("of %s is %s", (written, nearest) => {
    expect(nearestName(written, names)).toBe(nearest);
  });
});
