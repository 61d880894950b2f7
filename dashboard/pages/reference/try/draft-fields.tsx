import { useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Field, SelectField, TextField } from "../../../ui/field.tsx";
import { examplesOf, type Parameter } from "../document.ts";
import { bodyKind, type FormField, formFields, jsonOf, parameterKey } from "./draft.ts";
import type { TryItProps } from "./try-it.tsx";

type FieldsProps = Omit<TryItProps, "apiKey"> & {
  /** Names of required values that are missing. */
  readonly missing: readonly string[];
};

/** The inputs of a request. Optional ones are in a part that can be opened. */
export const DraftFields = (props: FieldsProps) => {
  const { reference } = texts.value;
  const { operation } = props;
  const kind = bodyKind(operation);
  const fields = kind === "form" ? formFields(operation) : [];
  const isRequired = ({ required }: { readonly required?: boolean }): boolean => required === true;
  const optional = [
    ...fields.filter(({ isMain }) => !isMain).map((field) => formInput(field, props)),
    ...operation.parameters.filter((each) => !isRequired(each)).map((each) => parameterInput(each, props)),
  ];
  return (
    <>
      {operation.parameters.filter(isRequired).map((parameter) => parameterInput(parameter, props))}
      {fields.filter(({ isMain }) => isMain).map((field) => formInput(field, props))}
      {kind === "file" && <FileInput name="file" isList={false} {...props} />}
      {kind === "json" && <JsonInput {...props} />}
      {optional.length > 0 && (
        <details>
          <summary>{reference.optional(optional.length)}</summary>
          <div class="reference-optional">{optional}</div>
        </details>
      )}
    </>
  );
};

const parameterInput = (parameter: Parameter, { draft, onDraft, missing }: FieldsProps) => {
  const key = parameterKey(parameter);
  const value = draft.parameters[key] ?? "";
  const set = (text: string): void => onDraft({ ...draft, parameters: { ...draft.parameters, [key]: text } });
  const choices = parameter.schema.enum ?? (parameter.schema.type === "boolean" ? [true, false] : undefined);
  return choices === undefined ? (
    <TextField
      key={key}
      label={<code>{parameter.name}</code>}
      value={value}
      onText={set}
      placeholder={String(parameter.example)}
      error={missing.includes(parameter.name) && texts.value.reference.isMissing}
      autocomplete="off"
      spellcheck={false}
    />
  ) : (
    <SelectField
      key={key}
      label={<code>{parameter.name}</code>}
      value={value}
      choices={[["", "—"], ...choices.map((choice) => [String(choice), String(choice)] as const)]}
      onChoice={set}
    />
  );
};

const formInput = (field: FormField, props: FieldsProps) => {
  const { draft, onDraft, missing } = props;
  const { name, isFile, isList } = field;
  return isFile ? (
    <FileInput key={name} name={name} isList={isList} {...props} />
  ) : (
    <TextField
      key={name}
      label={<code>{name}</code>}
      value={draft.fields[name] ?? ""}
      onText={(text) => onDraft({ ...draft, fields: { ...draft.fields, [name]: text } })}
      error={missing.includes(name) && texts.value.reference.isMissing}
      autocomplete="off"
      spellcheck={false}
    />
  );
};

type FileInputProps = FieldsProps & Pick<FormField, "isList" | "name">;

const FileInput = ({ name, isList, draft, onDraft, missing }: FileInputProps) => (
  <Field label={<code>{name}</code>} error={missing.includes(name) && texts.value.reference.isMissing}>
    {(attributes) => (
      <input
        type="file"
        {...attributes}
        multiple={isList}
        onChange={({ currentTarget }) =>
          onDraft({ ...draft, files: { ...draft.files, [name]: [...(currentTarget.files ?? [])] } })
        }
      />
    )}
  </Field>
);

const JSON_ROWS_MAX = 18;

const JsonInput = ({ operation, document, draft, onDraft }: FieldsProps) => {
  const { reference } = texts.value;
  const [at, setAt] = useState(0);
  const examples = examplesOf(document, operation.bodies.find(([type]) => type === "application/json")?.[1]);
  const choose = (next: string): void => {
    setAt(Number(next));
    onDraft({ ...draft, json: jsonOf(examples[Number(next)]?.value) });
  };
  return (
    <>
      {examples.length > 1 && (
        <SelectField
          label={reference.example}
          value={String(at)}
          choices={examples.map(({ summary }, index) => [String(index), summary] as const)}
          onChoice={choose}
        />
      )}
      <Field label={reference.jsonBody} error={!isJson(draft.json) && reference.notJson}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="reference-json"
            rows={Math.min(JSON_ROWS_MAX, draft.json.split("\n").length + 1)}
            spellcheck={false}
            value={draft.json}
            onInput={({ currentTarget }) => onDraft({ ...draft, json: currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The reader is still typing, or wants to see the answer to invalid JSON.
    return false;
  }
};
