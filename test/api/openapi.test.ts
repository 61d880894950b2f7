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
import { problemSchema } from "../../functions/domain/errors/problem-view.ts";
import { requestErrors } from "../../functions/domain/errors/request-errors.ts";
import { formatListSchema } from "../../functions/domain/formats/format-views.ts";
import { formats } from "../../functions/domain/formats/formats.ts";
import { jobSchema } from "../../functions/domain/jobs/job-views.ts";
import { uploadSchema } from "../../functions/domain/uploads/upload-views.ts";

const BASE = "https://anyform.test";
const document = JSON.stringify(documentAt(BASE));

describe("the OpenAPI document", () => {
  test("has no errors or warnings from a public linter", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      // Three operations have no input and need no key, so they have no 4xx response.
      rules: { "operation-4xx-response": "off" },
    });
    const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test.each(Object.entries(examplesAt(routes, BASE)))(
    "has an example %s that matches its schema",
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
    const schemas = JSON.stringify(optionsJsonSchema({ options: optionNames }));
    const lists = JSON.stringify([formats, conversions]);
    expect((document + schemas + lists).match(british)).toBeNull();
  });

  test("references every example, and no missing one", () => {
    const used = [...document.matchAll(/"#\/components\/examples\/(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(examplesAt(routes, BASE)).sort());
  });

  test("has problem examples with the status of their code", () => {
    const examples = examplesAt(routes, BASE);
    const codes = Object.keys(requestErrors) as (keyof typeof requestErrors)[];
    const statuses = codes.map((code) => problemSchema.parse(examples[code]?.value).status);
    expect(statuses).toEqual(codes.map((code) => requestErrors[code].status));
  });

  test("describes every property of requests and responses", () => {
    const silent: string[] = [];
    for (const [name, schema] of Object.entries(schemaComponents(routes))) {
      silentIn(schema, name, silent);
    }
    expect(silent).toEqual([]);
  });

  test.each(routes.map((route: AnyOperation) => [route.id, route] as const))(
    "declares the path parameters of %s",
    (_id, route) => {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(pathParameters(route)).toEqual(inPath);
    },
  );

  test("is deterministic except for the URL of the service", () => {
    expect(document.replaceAll(BASE, "http://localhost:8080")).toBe(
      JSON.stringify(documentAt("http://localhost:8080")),
    );
  });

  test("closes every schema of a request and none of a response", () => {
    const { paths, components } = documentAt(BASE) as unknown as GeneratedFrom;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const sent = reachableFrom(
      operations.map(({ requestBody }) => requestBody?.content["application/json"]),
      components.schemas,
    );
    const received = reachableFrom(
      operations.map(({ responses }) => responses),
      components.schemas,
    );
    expect(sent.size).toBeGreaterThan(10);
    expect(received.size).toBeGreaterThan(30);
    expect([...sent].filter((name) => received.has(name))).toEqual([]);
    const closed = (name: string) => JSON.stringify(components.schemas[name]).includes('"additionalProperties":false');
    // Others define these: the payment service, and WebAuthn.
    const foreign = ["BillingEvent", "PasskeyAssertion", "PasskeyAttestation"];
    expect([...sent].filter((name) => !closed(name)).sort()).toEqual(foreign);
    expect([...received].filter(closed)).toEqual([]);
  });

  /** Client generators use one media type of a body, and not all the same one. */
  test("describes one media type per request body and per response", () => {
    const { paths } = documentAt(BASE) as unknown as GeneratedFrom;
    const several = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, requestBody, responses }) =>
        [requestBody, ...Object.values(responses)].map((each) => [operationId, Object.keys(each?.content ?? {})]),
      )
      .filter(([, types = []]) => types.length > 1);
    expect(several.map(([id]) => id)).toEqual([]);
  });

  /** Generators name types in Pascal case, so that `key_id` and `keyId` are one, and `file` hides the global `File`. */
  test("has components with names that are different types", () => {
    const { components } = documentAt(BASE) as unknown as GeneratedFrom;
    const names = [...Object.keys(components.schemas), ...Object.keys(components.parameters)].map((name) =>
      name.replaceAll("_", "").toLowerCase(),
    );
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => ["blob", "file", "formdata", "response", "request", "date"].includes(name))).toEqual(
      [],
    );
  });

  test("has only responses that a client can read with its types", () => {
    const { jobFailed, uploadReady, formatList, formatDetails } = examplesAt(routes, BASE);
    expect(jobSchema.parse(jobFailed?.value).error?.code).toBe("source_corrupt");
    expect(uploadSchema.parse(uploadReady?.value).status).toBe("ready");
    expect(formatListSchema.parse(formatList?.value)).not.toHaveProperty("conversions");
    expect(formatListSchema.parse(formatDetails?.value).conversions).toHaveLength(1);
  });
});

interface Content {
  readonly content: Readonly<Record<string, unknown>>;
}

interface GeneratedFrom {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { operationId: string; requestBody?: Content; responses: Readonly<Record<string, Content>> }>
      >
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, object>>;
  };
}

/** @returns the names of all schemas that a part of the document refers to */
const reachableFrom = (part: unknown, schemas: Readonly<Record<string, object>>): ReadonlySet<string> => {
  const namesIn = (value: unknown) =>
    [...(JSON.stringify(value) ?? "").matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name);
  const found = new Set(namesIn(part));
  for (const name of found) {
    for (const further of namesIn(schemas[name])) {
      found.add(further);
    }
  }
  return found;
};

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Lists the properties of a schema without a description. */
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
