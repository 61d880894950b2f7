import { texts } from "../../text.ts";
import { Badge } from "../../ui/parts.tsx";
import { type OpenapiDocument, resolved, type Schema } from "./document.ts";
import { ReferenceMarkdown } from "./reference-markdown.tsx";

interface SchemaProps {
  readonly document: OpenapiDocument;
  readonly schema: Schema;
  /** Names of the schemas around it: a schema is not shown inside itself. */
  readonly inside?: readonly string[];
}

/** Fields in fields that can be opened. */
const DEPTH_MAX = 6;

/** The fields of a JSON body, with those of nested objects to open. */
export const SchemaView = ({ document, schema, inside = [] }: SchemaProps) => {
  const variants = objectsIn(document, schema).filter(({ name }) => name === undefined || !inside.includes(name));
  return (
    <>
      {variants.map(({ name, schema: own }, index) => (
        <div key={index} class="schema">
          {variants.length > 1 && <h4 lang="en">{name ?? texts.value.reference.variant(index + 1)}</h4>}
          <ul class="fields">
            {Object.entries(own.properties ?? {}).map(([field, value]) => (
              <Field
                key={field}
                name={field}
                schema={value}
                required={own.required?.includes(field) ?? false}
                document={document}
                inside={name === undefined ? inside : [...inside, name]}
              />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
};

interface FieldProps extends Required<SchemaProps> {
  readonly name: string;
  readonly required: boolean;
}

const Field = ({ name, schema, required, document, inside }: FieldProps) => (
  <li>
    <FieldHead name={name} type={typeOf(document, schema)} required={required} />
    <FieldText document={document} schema={schema} />
    {inside.length < DEPTH_MAX && objectsIn(document, schema).some(hasFields) && (
      <details>
        <summary>{texts.value.reference.fieldsOf(name)}</summary>
        {/* The depth also counts objects without a name. */}
        <SchemaView document={document} schema={schema} inside={[...inside, ""]} />
      </details>
    )}
  </li>
);

interface FieldHeadProps {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** The name of a field or parameter, its type, and whether it is required. */
export const FieldHead = ({ name, type, required }: FieldHeadProps) => (
  <p class="field-head">
    <code class="field-name">{name}</code>
    <span class="muted" lang="en">
      {type}
    </span>
    {required && <Badge tone="warning">{texts.value.reference.required}</Badge>}
  </p>
);

/** What a field means, and which values it accepts. */
export const FieldText = ({ document, schema }: Pick<SchemaProps, "document" | "schema">) => {
  const { reference } = texts.value;
  const all = variantsOf(document, schema).map((each) => each.schema);
  const description =
    schema.description ?? all.find((each) => each.description)?.description ?? schema.items?.description;
  const values = [...all, ...(schema.items ? [schema.items] : [])].flatMap((each) => each.enum ?? []);
  const initial = all.find((each) => each.default !== undefined)?.default;
  return (
    <>
      {description && <ReferenceMarkdown text={description} document={document} />}
      {values.length > 0 && (
        <p class="field-values">
          {reference.values}{" "}
          {values.map((value) => (
            <code key={String(value)}>{String(value)}</code>
          ))}
        </p>
      )}
      {initial !== undefined && (
        <p class="field-values">
          {reference.default} <code>{JSON.stringify(initial)}</code>
        </p>
      )}
    </>
  );
};

const hasFields = ({ schema }: { readonly schema: Schema }): boolean => schema.properties !== undefined;

/** @returns the schemas that a value can have, without null */
const variantsOf = (document: OpenapiDocument, schema: Schema): ReturnType<typeof resolved>[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema])
    .map((each) => resolved(document, each))
    .flatMap((each) => (each.schema.anyOf && each.schema !== schema ? variantsOf(document, each.schema) : [each]))
    .filter((each) => each.schema.type !== "null");

/** @returns the objects in a value: itself, its items, or the values of its names */
const objectsIn = (document: OpenapiDocument, schema: Schema): ReturnType<typeof resolved>[] =>
  variantsOf(document, schema).flatMap((each) => {
    const { items, additionalProperties, properties } = each.schema;
    if (properties !== undefined) {
      return [each];
    }
    const inner = items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    return inner === undefined ? [] : objectsIn(document, inner);
  });

/** @returns the type of a value, such as `array of strings` or `integer, 0 to 100` */
export const typeOf = (document: OpenapiDocument, schema: Schema): string => {
  const all = variantsOf(document, schema);
  const names = all.map((each) => nameOf(document, each.schema, each.name));
  const isNullable = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(({ type }) => type === "null");
  return [...new Set(names), ...(isNullable ? ["null"] : [])].join(" or ");
};

const nameOf = (document: OpenapiDocument, schema: Schema, name: string | undefined): string => {
  const { type, format, items, enum: values, minimum, maximum, maxLength } = schema;
  if (schema.const !== undefined) {
    return JSON.stringify(schema.const);
  }
  if (type === "array") {
    return `array of ${items ? typeOf(document, items) : "values"}`;
  }
  const base = format === "binary" ? "file" : (name ?? (values ? "string" : [type ?? "any value"].flat().join(" or ")));
  const limits = [
    ...(format !== undefined && format !== "binary" ? [format] : []),
    ...(minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
      ? [`${minimum} to ${maximum}`]
      : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ];
  return [base, ...limits].join(", ");
};
