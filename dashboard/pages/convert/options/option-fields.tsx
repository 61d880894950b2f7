import { useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { TextField } from "../../../ui/field.tsx";
import { GROUPED_MIN, groupFields } from "./option-groups.ts";
import { OptionInput } from "./option-input.tsx";
import type { FormValues, OptionField } from "./schema-form.ts";

export interface OptionFieldsProps {
  readonly fields: readonly OptionField[];
  readonly formValues: FormValues;
  readonly errorOf: (name: string) => string | undefined;
  readonly onText: (name: string, text: string) => void;
}

/** The fields of the options. A long form has groups and a search field. */
export const OptionFields = (props: OptionFieldsProps) =>
  props.fields.length < GROUPED_MIN ? <Fields {...props} /> : <GroupedFields {...props} />;

const Fields = ({ fields, formValues, errorOf, onText }: OptionFieldsProps) =>
  fields.map((field) => (
    <OptionInput
      key={field.name}
      field={field}
      text={formValues[field.name] ?? ""}
      error={errorOf(field.name)}
      onText={(text) => onText(field.name, text)}
    />
  ));

const GroupedFields = (props: OptionFieldsProps) => {
  const { options } = texts.value;
  const [query, setQuery] = useState("");
  const groups = groupFields(props.fields.filter((field) => matches(field, query)));
  return (
    <>
      <TextField type="search" label={options.search} value={query} onText={setQuery} autocomplete="off" />
      {groups.length === 0 && <p role="status">{options.nothingFound(query)}</p>}
      {groups.map((group, index) => (
        <Group key={group.id} {...props} group={group} isOpen={index === 0 || query !== ""} />
      ))}
    </>
  );
};

const matches = ({ name, title }: OptionField, query: string): boolean => {
  const own = texts.value.options.names[name];
  const searched = [name, own?.title ?? title, own?.hint ?? ""].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
};

const Group = ({
  group,
  isOpen,
  ...props
}: OptionFieldsProps & { readonly group: ReturnType<typeof groupFields>[number]; readonly isOpen: boolean }) => {
  const { options } = texts.value;
  const [chosen, setChosen] = useState<boolean | undefined>(undefined);
  const set = group.fields.filter(({ name }) => (props.formValues[name] ?? "") !== "").length;
  const hasError = group.fields.some(({ name }) => props.errorOf(name) !== undefined);
  return (
    <details
      class="convert-group"
      open={hasError || (chosen ?? isOpen)}
      onToggle={({ currentTarget }) => setChosen(currentTarget.open)}
    >
      <summary>
        {options.groups[group.id] ?? group.id}
        <small class="muted">{set > 0 ? options.groupSet(set) : options.groupCount(group.fields.length)}</small>
      </summary>
      <div class="convert-group-fields">
        <Fields {...props} fields={group.fields} />
      </div>
    </details>
  );
};
