import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Schema } from "./json-schema.ts";

/**
 * `node client/generate/generate-types.ts URL`: writes api-types.ts from the OpenAPI document of a running service. The
 * existing packages for this require an older TypeScript compiler than this project uses.
 */

const HEAD = `/** Made from the service's OpenAPI document by generate-types.ts; not to be changed by hand. */\n`;

const OPTIONS_HEAD = `/** Made from the formats and options of the service by generate-types.ts; not to be changed by hand. */\n`;

/** @returns the TypeScript of the format IDs, and of the options of all conversions by name */
export const optionTypesOf = (formats: readonly string[], options: Readonly<Record<string, unknown>>): string => {
  const ids = formats.map((id) => `\n  | ${JSON.stringify(id)}`).join("");
  const properties = options as Readonly<Record<string, Schema>>;
  return `${OPTIONS_HEAD}\nexport type FormatId =${ids};\n\nexport interface ConversionOptions ${objectOf({ properties }, "")}\n`;
};

/** @returns the TypeScript of the document's schemas; paths and headers are defined in the client */
export const typesOf = (document: unknown): string => {
  // Only the service generates this document, and types from an invalid one do not compile.
  const { components } = document as { components: { schemas: Readonly<Record<string, Schema>> } };
  return `${HEAD}\nexport interface components {\n  schemas: ${objectOf({ properties: components.schemas, required: Object.keys(components.schemas) }, "  ")};\n}\n`;
};

const typeOf = (schema: Schema, indent: string): string => {
  const options = schema.anyOf ?? schema.oneOf;
  if (schema.$ref !== undefined) {
    return `components["schemas"]["${schema.$ref.split("/").at(-1)}"]`;
  }
  if (schema.enum !== undefined || "const" in schema) {
    return (schema.enum ?? [schema.const]).map((value) => JSON.stringify(value)).join(" | ");
  }
  if (options !== undefined) {
    return [...new Set(options.map((option) => typeOf(option, indent)))].join(" | ");
  }
  const types = [schema.type ?? "unknown"].flat();
  return types.map((type) => plainType(type, schema, indent)).join(" | ");
};

const plainType = (type: string, schema: Schema, indent: string): string => {
  switch (type) {
    case "array":
      return arrayOf(typeOf(schema.items ?? {}, indent));
    case "object":
      return schema.properties === undefined ? recordOf(schema, indent) : objectOf(schema, indent);
    case "integer":
      return "number";
    default:
      return type;
  }
};

const arrayOf = (item: string): string => (/ \| /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`);

const recordOf = ({ additionalProperties = true }: Schema, indent: string): string => {
  const value = typeof additionalProperties === "boolean" ? "unknown" : typeOf(additionalProperties, indent);
  return `{ [key: string]: ${value} }`;
};

const objectOf = ({ properties = {}, required = [] }: Schema, indent: string): string => {
  const within = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, schema]) => [
    ...(schema.description === undefined ? [] : [`${within}/** ${schema.description.replaceAll("*/", "*\\/")} */`]),
    `${within}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, within)};`,
  ]);
  return `{\n${lines.join("\n")}\n${indent}}`;
};

if (import.meta.main) {
  const url = new URL("/api/v1/openapi.json", process.argv[2] ?? "http://127.0.0.1:8080");
  const document = await (await fetch(url)).json();
  await writeFile(join(import.meta.dirname, "../api-types.ts"), typesOf(document));
}
