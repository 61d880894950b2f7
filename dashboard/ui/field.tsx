import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from "preact";
import { useId } from "preact/hooks";

/** Attributes that connect an input to its label, hint and error. */
export interface FieldAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
}

export interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: ComponentChildren;
  /** Renders the input. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

/** A labeled input with its hint and its error. */
export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {hint && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
      {error && (
        <small id={`${id}-error`} class="error" role="alert">
          {error}
        </small>
      )}
    </div>
  );
};

type Labeled = Pick<FieldProps, "error" | "hint" | "label">;

export const TextField = ({
  label,
  hint,
  error,
  onText,
  ...input
}: Labeled & Omit<InputHTMLAttributes<HTMLInputElement>, "label"> & { readonly onText?: (text: string) => void }) => (
  <Field label={label} hint={hint} error={error}>
    {(attributes) => (
      <input type="text" {...input} {...attributes} onInput={({ currentTarget }) => onText?.(currentTarget.value)} />
    )}
  </Field>
);

/** Text of several lines. */
export const LinesField = ({
  label,
  hint,
  error,
  onText,
  ...area
}: Labeled &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "label"> & { readonly onText: (text: string) => void }) => (
  <Field label={label} hint={hint} error={error}>
    {(attributes) => (
      <textarea
        rows={3}
        spellcheck={false}
        autocomplete="off"
        {...area}
        {...attributes}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    )}
  </Field>
);

export const SelectField = ({
  label,
  hint,
  error,
  choices,
  onChoice,
  ...select
}: Labeled &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "label"> & {
    /** Value and label of each choice. */
    readonly choices: readonly (readonly [value: string, text: string])[];
    readonly onChoice: (value: string) => void;
  }) => (
  <Field label={label} hint={hint} error={error}>
    {(attributes) => (
      <select {...select} {...attributes} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {choices.map(([value, text]) => (
          <option key={value} value={value} selected={value === select.value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export const CheckField = ({
  label,
  hint,
  onCheck,
  ...input
}: Pick<FieldProps, "hint" | "label"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, "label"> & { readonly onCheck: (checked: boolean) => void }) => {
  const id = useId();
  return (
    <div class="check">
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  );
};
