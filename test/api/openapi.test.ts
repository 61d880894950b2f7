import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { examplesAt } from "../../functions/api/openapi/examples.ts";
import { pathParameters } from "../../functions/api/openapi/operation-object.ts";
import { schemaComponents } from "../../functions/api/openapi/schemas.ts";
import type { AnyOperation } from "../../functions/api/operation.ts";
import { documentAt, routes } from "../../functions/api/routes.ts";
import { conversions } from "../../functions/domain/conversions/conversions.ts";
import { optionNames } from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { requestErrors } from "../../functions/domain/errors.ts";
import { formatListSchema } from "../../functions/domain/formats/format-views.ts";
import { formats } from "../../functions/domain/formats/formats.ts";
import { jobSchema } from "../../functions/domain/jobs/job-views.ts";
import { problemSchema } from "../../functions/domain/problem-view.ts";
import { uploadSchema } from "../../functions/domain/uploads/upload-views.ts";

const BASE = "https://anyform.test";
const document = JSON.stringify(documentAt(BASE));

describe("the OpenAPI document", () => {
  test("has nothing that a public linter finds wrong or doubtful", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      // Three operations take nothing that could be wrong, and need no key.
      rules: { "operation-4xx-response": "off" },
    });
    const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test.each(Object.entries(examplesAt(routes, BASE)))(
    "has an example %s that fits its schema",
    (_name, { schema, value }) => {
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      addFormats.default(ajv);
      ajv.addSchema({ $id: "openapi", components: { schemas: schemaComponents(routes) } });
      ajv.validate({ $ref: `openapi#/components/schemas/${schema}` }, value);
      expect(ajv.errors ?? []).toEqual([]);
    },
  );

  test("uses American spelling, except for the job state `cancelled`", () => {
    const british =
      /\w*(?:colour|recognis|normalis|behaviour|neighbour|grey|organis|serialis|honour|favour|licence|initialis|analys(?:e|ing)|catalogue|labelled|cancelling|centre\b|metre\b|towards\b)\w*/gi;
    const schemas = JSON.stringify(optionsJsonSchema(optionNames));
    const lists = JSON.stringify([formats, conversions]);
    expect((document + schemas + lists).match(british)).toBeNull();
  });

  test("has no example that nothing refers to, and refers to none that it has not", () => {
    const used = [...document.matchAll(/"#\/components\/examples\/(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(examplesAt(routes, BASE)).sort());
  });

  test("has examples whose problems bear the status of their code", () => {
    const examples = examplesAt(routes, BASE);
    const codes = Object.keys(requestErrors) as (keyof typeof requestErrors)[];
    const statuses = codes.map((code) => problemSchema.parse(examples[code]?.value).status);
    expect(statuses).toEqual(codes.map((code) => requestErrors[code].status));
  });

  test("describes every property that a request or an answer can have", () => {
    const silent: string[] = [];
    for (const [name, schema] of Object.entries(schemaComponents(routes))) {
      silentIn(schema, name, silent);
    }
    expect(silent).toEqual([]);
  });

  test.each(routes.map((route: AnyOperation) => [route.id, route] as const))(
    "names the parameters that the path of %s has",
    (_id, route) => {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(pathParameters(route)).toEqual(inPath);
    },
  );

  test("is the same each time but for where the service is reached", () => {
    expect(document.replaceAll(BASE, "http://localhost:8080")).toBe(
      JSON.stringify(documentAt("http://localhost:8080")),
    );
  });

  test("holds no answer that a client could not read by its types", () => {
    const { jobFailed, uploadReady, formatList } = examplesAt(routes, BASE);
    expect(jobSchema.parse(jobFailed?.value).error?.code).toBe("source_corrupt");
    expect(uploadSchema.parse(uploadReady?.value).status).toBe("ready");
    expect(formatListSchema.parse(formatList?.value).conversions).toHaveLength(1);
  });
});

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Says where a schema has a property without a word on it. */
const silentIn = (schema: Schema, where: string, silent: string[]): void => {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const says = [property, ...(property.anyOf ?? [])].some(({ description, $ref }) => description ?? $ref);
    if (!says) {
      silent.push(`${where}.${name}`);
    }
    silentIn(property, `${where}.${name}`, silent);
  }
  for (const part of [schema.items, ...(schema.anyOf ?? [])]) {
    if (part !== undefined) {
      silentIn(part, where, silent);
    }
  }
};
