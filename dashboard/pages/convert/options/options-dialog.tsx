import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { OptionFields } from "./option-fields.tsx";
import { PresetBar, SavePreset } from "./preset-bar.tsx";
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
  /** The target format: presets of the account can be used and saved. @default none */
  readonly presetsFor?: string | undefined;
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
  presetsFor: target,
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
  /** @returns the options; undefined if one is not valid, which is shown */
  const read = (): OptionValues | undefined => {
    const { values: found, errors: wrong } = valuesOf(fields, formValues);
    setErrors(wrong);
    setFromServer(new Map());
    return wrong.size === 0 ? found : undefined;
  };
  const apply = (): void => {
    const options = read();
    if (options !== undefined) {
      onApply(options, forAll && similar !== undefined);
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
        {target !== undefined && fields.length > 0 && (
          <PresetBar target={target} onFill={(options) => setFormValues(formValuesOf(fields, options))} />
        )}
        <p class="muted">{fields.length === 0 ? options.none : options.lead}</p>
        <OptionFields
          fields={fields}
          formValues={formValues}
          errorOf={errorOf}
          onText={(name, text) => setFormValues((before) => ({ ...before, [name]: text }))}
        />
        {similar && <CheckField label={similar} checked={forAll} onCheck={setForAll} />}
        {target !== undefined && Object.values(formValues).some((text) => text !== "") && (
          <SavePreset target={target} read={read} />
        )}
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
