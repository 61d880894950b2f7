import { number } from "../../../format.ts";
import { texts } from "../../../text.ts";
import { CheckField, LinesField, SelectField, TextField } from "../../../ui/field.tsx";
import { ColorInput } from "./color-input.tsx";
import { RangeInput } from "./range-input.tsx";
import type { OptionField } from "./schema-form.ts";
import { UploadInput } from "./upload-input.tsx";

export interface OptionInputProps {
  readonly field: OptionField;
  /** Its text; empty for the default. */
  readonly text: string;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
}

/** One option, with our texts in the user's language if there are any, otherwise with the service's description. */
export const OptionInput = ({ field, text, error, onText }: OptionInputProps) => {
  const { options } = texts.value;
  const own = options.names[field.name];
  const label = own?.title ?? field.title;
  const hint = own?.hint ?? field.description;
  const choiceText = (choice: unknown): string => own?.choices?.[String(choice)] ?? plainText(choice);
  const initial = field.schema.default;
  const placeholder = initial === undefined ? "" : options.defaultOf(choiceText(initial));
  switch (field.kind) {
    case "check":
      return (
        <CheckField
          label={label}
          hint={hint}
          checked={text === "" ? field.isOnByDefault : text === "true"}
          onCheck={(checked) => onText(String(checked))}
        />
      );
    case "select":
      return (
        <SelectField
          label={label}
          hint={hint}
          error={error}
          value={text}
          choices={[
            ["", placeholder || options.defaultValue],
            // The default is listed once, unless it was chosen explicitly.
            ...field.choices
              .filter((choice) => choice !== initial || String(choice) === text)
              .map((choice) => [String(choice), choiceText(choice)] as const),
          ]}
          onChoice={onText}
        />
      );
    case "lines":
      return <LinesField {...{ label, hint, error }} value={text} placeholder={placeholder} onText={onText} />;
    case "range":
      return <RangeInput {...{ field, label, hint, error, text, onText, placeholder }} />;
    case "color":
      return <ColorInput {...{ field, label, hint, error, text, onText, placeholder }} />;
    case "upload":
      return <UploadInput {...{ label, hint, error, text, onText }} />;
    case "checks":
      return <Checks {...{ field, text, onText, label, choiceText }} />;
    case "number":
      return (
        <TextField
          label={label}
          hint={own === undefined ? `${hint} ${rangeOf(field)}`.trim() : hint}
          error={error}
          value={text}
          type="number"
          min={field.schema.minimum}
          max={field.schema.maximum}
          step={field.schema.type === "integer" ? 1 : "any"}
          placeholder={placeholder}
          onText={onText}
        />
      );
    default:
      return (
        <TextField
          label={label}
          hint={hint}
          error={error}
          value={text}
          type={field.kind === "password" ? "password" : "text"}
          placeholder={field.kind === "password" ? "" : placeholder}
          // A file's password is not a password of this site.
          autocomplete={field.kind === "password" ? "new-password" : "off"}
          spellcheck={false}
          onText={onText}
        />
      );
  }
};

const plainText = (choice: unknown): string => {
  const { yes, no } = texts.value.common;
  return typeof choice === "boolean" ? (choice ? yes : no) : String(choice);
};

const rangeOf = ({ schema: { minimum, maximum } }: OptionField): string =>
  minimum === undefined || maximum === undefined ? "" : texts.value.options.range(number(minimum), number(maximum));

const Checks = ({
  field,
  text,
  onText,
  label,
  choiceText,
}: Pick<OptionInputProps, "field" | "onText" | "text"> & {
  readonly label: string;
  readonly choiceText: (choice: unknown) => string;
}) => {
  const chosen = text.split("\n").filter(Boolean);
  return (
    <fieldset class="convert-checks">
      <legend>{label}</legend>
      {field.choices.map(String).map((choice) => (
        <CheckField
          key={choice}
          label={choiceText(choice)}
          checked={chosen.includes(choice)}
          onCheck={(checked) =>
            onText([...chosen.filter((each) => each !== choice), ...(checked ? [choice] : [])].join("\n"))
          }
        />
      ))}
    </fieldset>
  );
};
