/**
 * Generates files of the Python client: the types from the OpenAPI document, and the synchronous modules from the
 * asynchronous ones. `vitest run test/client/python-files.test.ts -u` writes them.
 */

import type { Schema } from "./json-schema.ts";

type Schemas = Readonly<Record<string, Schema>>;

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly webhooks?: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Schemas };
}

const TYPES_HEAD = `"""Types of the API, generated from its OpenAPI document. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`;

/** Operations of the dashboard, which need a session: the client has none of them. */
const DASHBOARD_PATHS = /^\/api\/v1\/(?:session|keys)\b/;

/** What the document does not list. */
interface Listed {
  /** IDs of all formats. */
  readonly formats: readonly string[];
  /** JSON Schema of an object with the options of all conversions. */
  readonly options: unknown;
}

/** @returns Python with one TypedDict for each schema that the client uses, and one for the options */
export const pythonTypes = (document: unknown, { formats, options }: Listed): string => {
  // Only the service generates this document, and types from an invalid one do not compile.
  const { paths, webhooks = {}, components } = document as Document;
  const operations = Object.entries(paths).filter(([path]) => !DASHBOARD_PATHS.test(path));
  const used = schemasIn(document as Document, [operations, webhooks]);
  const classes = new Classes();
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (used.has(name)) {
      classes.define(name, schema);
    }
  }
  classes.define("Options", { ...(options as Schema), description: "The options of all conversions." });
  classes.define("FormatId", { enum: formats });
  return [TYPES_HEAD, ...classes.texts].join("\n\n");
};

/** @returns the names of the schemas that the values refer to, directly or through others */
const schemasIn = (document: Document, values: unknown): ReadonlySet<string> => {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, pointer = ""] of JSON.stringify(value).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      if (!seen.has(pointer)) {
        seen.add(pointer);
        const [, name] = /^components\/schemas\/(.+)$/.exec(pointer) ?? [];
        found.add(name ?? pointer);
        visit(valueAt(document, pointer));
      }
    }
  };
  visit(values);
  return found;
};

const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .reduce((value, key) => (value as Record<string, unknown>)[key.replace(/~1/g, "/").replace(/~0/g, "~")], document);

/** Collects the definitions; Python has no nested anonymous types, so each object gets a name. */
class Classes {
  readonly texts: string[] = [];

  define(name: string, schema: Schema): void {
    if (schema.properties === undefined) {
      this.texts.push(`${name} = ${this.typeOf(schema, name)}\n`);
      return;
    }
    const fields = Object.entries(schema.properties).map(([key, value]) => ({
      key,
      type: this.typeOf(value, name + pascalCase(key)),
      text: value.description,
      required: schema.required?.includes(key) ?? false,
    }));
    this.texts.push(fields.every(({ key }) => isName(key)) ? classOf(name, schema, fields) : callOf(name, fields));
  }

  private typeOf(schema: Schema, name: string): string {
    const options = schema.anyOf ?? schema.oneOf;
    if (schema.$ref !== undefined) {
      return schema.$ref.split("/").at(-1) ?? "";
    }
    if (schema.enum !== undefined || "const" in schema) {
      return `Literal[${(schema.enum ?? [schema.const]).map(pythonValue).join(", ")}]`;
    }
    if (options !== undefined && schema.type === undefined) {
      return unionOf(options.map((option) => this.typeOf(option, name)));
    }
    return unionOf([schema.type ?? "any"].flat().map((type) => this.plainType(type, schema, name)));
  }

  private plainType(type: string, schema: Schema, name: string): string {
    const { items = {}, additionalProperties: values } = schema;
    switch (type) {
      case "array":
        return `List[${this.typeOf(items, `${name}Item`)}]`;
      case "object":
        if (schema.properties === undefined) {
          return `Dict[str, ${typeof values === "object" ? this.typeOf(values, `${name}Value`) : "Any"}]`;
        }
        this.define(name, schema);
        return name;
      default:
        return PLAIN[type] ?? "Any";
    }
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  boolean: "bool",
  integer: "int",
  null: "None",
  number: "float",
  string: "str",
};

interface Field {
  readonly key: string;
  readonly type: string;
  readonly text: string | undefined;
  readonly required: boolean;
}

/** Python 3.9 has no `NotRequired`: a class with `total=False` adds the optional fields to those of its base class. */
const classOf = (name: string, { description }: Schema, fields: readonly Field[]): string => {
  const [required, optional] = [fields.filter((field) => field.required), fields.filter((field) => !field.required)];
  const text = description === undefined ? [] : [`    ${docstring(description)}`];
  if (optional.length === 0) {
    return block(`class ${name}(TypedDict):`, [...text, ...lines(required)]);
  }
  if (required.length === 0) {
    return block(`class ${name}(TypedDict, total=False):`, [...text, ...lines(optional)]);
  }
  const base = block(`class _${name}Required(TypedDict):`, lines(required));
  return `${base}\n\n${block(`class ${name}(_${name}Required, total=False):`, [...text, ...lines(optional)])}`;
};

const block = (head: string, body: readonly string[]): string =>
  `${[head, ...(body.length === 0 ? ["    pass"] : body)].join("\n")}\n`;

const lines = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ key, type, text }) => [
    `    ${key}: ${type}`,
    ...(text === undefined ? [] : [`    ${docstring(text)}`]),
  ]);

/** `from` cannot be a field of a class. The types are strings, because some are defined later. */
const callOf = (name: string, fields: readonly Field[]): string =>
  `${name} = TypedDict(\n    "${name}",\n    {${fields.map(({ key, type }) => `${pythonValue(key)}: ${pythonValue(type)}`).join(", ")}},\n)\n`;

const docstring = (text: string): string =>
  `"""${text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replace(/"$/, '\\"')}"""`;

const unionOf = (types: readonly string[]): string => {
  const kinds = [...new Set(types)].filter((type) => type !== "None");
  const union = kinds.length > 1 ? `Union[${kinds.join(", ")}]` : (kinds[0] ?? "None");
  return kinds.length > 0 && types.includes("None") ? `Optional[${union}]` : union;
};

/** A JSON value as Python spells it. */
const pythonValue = (value: unknown): string =>
  value === null ? "None" : typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);

const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield False None True".split(
    " ",
  ),
);

const isName = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key);

const pascalCase = (key: string): string =>
  key.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Replaced in this order. */
const SYNCHRONOUS: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for)\b/g, "$1"],
  [/\bawait /g, ""],
  [/\bAsync(AccountCalls|Anyform|Client|Iterator|Iterable|JobCalls|Transport|WebhookEndpoints)\b/g, "$1"],
  [/\b(__)a(enter__|exit__)/g, "$1$2"],
  [/\ba(close|read|iter_bytes|iter_lines)\b/g, "$1"],
  [/\bAwaitable\[(\w+)\]/g, "$1"],
  [/\bAwaitable, /g, ""],
];

/** @returns the synchronous version of an asynchronous module */
export const synchronous = (name: string, source: string): string =>
  SYNCHRONOUS.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    `# Generated from _async/${name} by client/generate/generate-python.ts. Do not edit.\n${source}`,
  );
