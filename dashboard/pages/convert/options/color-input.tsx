import { Field } from "../../../ui/field.tsx";
import type { ValueInputProps } from "./range-input.tsx";

const WHITE = "#ffffff";

/** A color picker with a field for its code. While the field is empty, the picker shows the default. */
export const ColorInput = ({ field, label, hint, error, text, placeholder, onText }: ValueInputProps) => (
  <Field label={label} hint={hint} error={error}>
    {(attributes) => (
      <div class="convert-color">
        <input
          type="color"
          aria-label={label}
          value={sixDigits(text) ?? sixDigits(String(field.schema.default)) ?? WHITE}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
        <input
          type="text"
          {...attributes}
          value={text}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </div>
    )}
  </Field>
);

/** @returns the color as `#rrggbb`, the only form that the picker accepts; undefined if it is none */
const sixDigits = (text: string): string | undefined => {
  const [, digits] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? [];
  return digits === undefined ? undefined : `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
};
