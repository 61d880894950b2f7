import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { OptionFields } from "./option-fields.tsx";
import {
  type FieldError,
  type FormValues,
  fieldsOf,
  formValuesOf,
  type OptionValues,
  serverErrors,
  valuesOf,
} from "./schema-form.ts";

export interface OptionsDialogProps {
  readonly title: string;
  /** JSON Schema of the options. */
  readonly schema: unknown;
  readonly values: OptionValues;
  /** The service's errors about them. */
  readonly rejected?: readonly { readonly pointer: string; readonly detail: string }[];
  /** Label of a checkbox that applies them to similar rows as well. */
  readonly similar?: string | undefined;
  /** @default “Apply” */
  readonly action?: string;
  readonly onApply: (values: OptionValues, forAll: boolean) => void;
  readonly onClose: () => void;
  /** Shown above the options. */
  readonly children?: ComponentChildren;
}

/** The options of a conversion as a form. Unchanged options are not sent. */
export const OptionsDialog = ({
  title,
  schema,
  values,
  rejected = [],
  similar,
  action,
  onApply,
  onClose,
  children,
}: OptionsDialogProps) => {
  const { options } = texts.value;
  const fields = fieldsOf(schema);
  const [formValues, setFormValues] = useState<FormValues>(() => formValuesOf(fields, values));
  const [errors, setErrors] = useState<ReadonlyMap<string, FieldError>>(new Map());
  const [fromServer, setFromServer] = useState(() => serverErrors(rejected));
  const [forAll, setForAll] = useState(true);
  const apply = (): void => {
    const read = valuesOf(fields, formValues);
    setErrors(read.errors);
    setFromServer(new Map());
    if (read.errors.size === 0) {
      onApply(read.values, forAll && similar !== undefined);
    }
  };
  const errorOf = (name: string): string | undefined => {
    const error = errors.get(name);
    return error === undefined ? fromServer.get(name) : errorText(error);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="convert-options"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        {children}
        <p class="muted">{fields.length === 0 ? options.none : options.lead}</p>
        <OptionFields
          fields={fields}
          formValues={formValues}
          errorOf={errorOf}
          onText={(name, text) => setFormValues((before) => ({ ...before, [name]: text }))}
        />
        {similar && <CheckField label={similar} checked={forAll} onCheck={setForAll} />}
        <div class="actions convert-options-end">
          {Object.values(formValues).some((text) => text !== "") && (
            <Button kind="quiet" onClick={() => setFormValues({})}>
              {options.reset}
            </Button>
          )}
          <Button kind="primary" type="submit">
            {action ?? options.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const errorText = ({ reason, minimum, maximum }: FieldError): string => {
  const { errors } = texts.value.options;
  switch (reason) {
    case "range":
      return errors.range(String(minimum ?? ""), String(maximum ?? ""));
    case "length":
      return errors.length(String(maximum ?? ""));
    default:
      return errors[reason];
  }
};
