import { Field } from "../../../ui/field.tsx";
import { type OptionField, stepOf } from "./schema-form.ts";

export interface ValueInputProps {
  readonly field: OptionField;
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  /** Its text; empty for the default. */
  readonly text: string;
  readonly placeholder: string;
  readonly onText: (text: string) => void;
}

/** A slider with a field for exact numbers. While the field is empty, the slider is at the default. */
export const RangeInput = ({ field, label, hint, error, text, placeholder, onText }: ValueInputProps) => {
  const { minimum, maximum, default: initial } = field.schema;
  const step = stepOf(field.schema);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <div class="convert-range">
          <input
            type="range"
            aria-label={label}
            min={minimum}
            max={maximum}
            step={step}
            value={text === "" ? String(initial) : text}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
          <input
            type="number"
            {...attributes}
            min={minimum}
            max={maximum}
            step={step}
            value={text}
            placeholder={placeholder}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
};
