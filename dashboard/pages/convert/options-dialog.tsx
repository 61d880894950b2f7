import { useState } from "preact/hooks";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField } from "../../ui/field.tsx";
import { OptionInput } from "./option-input.tsx";
import {
  type FieldFault,
  type Filled,
  fieldsOf,
  filledOf,
  type OptionValues,
  refusedFields,
  valuesOf,
} from "./schema-form.ts";

export interface OptionsDialogProps {
  readonly title: string;
  /** JSON Schema of the options. */
  readonly schema: unknown;
  readonly values: OptionValues;
  /** What the service found wrong in them. */
  readonly refused?: readonly { readonly pointer: string; readonly detail: string }[];
  /** Offers to set them for other rows as well. */
  readonly alike?: string | undefined;
  /** @default “Apply” */
  readonly action?: string;
  readonly onApply: (values: OptionValues, forAll: boolean) => void;
  readonly onClose: () => void;
}

/** The options of a conversion as a form. What is left as it is is not sent. */
export const OptionsDialog = ({
  title,
  schema,
  values,
  refused = [],
  alike,
  action,
  onApply,
  onClose,
}: OptionsDialogProps) => {
  const { options } = texts.value;
  const fields = fieldsOf(schema);
  const [filled, setFilled] = useState<Filled>(() => filledOf(fields, values));
  const [faults, setFaults] = useState<ReadonlyMap<string, FieldFault>>(new Map());
  const [said, setSaid] = useState(() => refusedFields(refused));
  const [forAll, setForAll] = useState(true);
  const apply = (): void => {
    const read = valuesOf(fields, filled);
    setFaults(read.faults);
    setSaid(new Map());
    if (read.faults.size === 0) {
      onApply(read.values, forAll && alike !== undefined);
    }
  };
  const errorOf = (name: string): string | undefined => {
    const fault = faults.get(name);
    return fault === undefined ? said.get(name) : faultText(fault);
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
        <p class="muted">{fields.length === 0 ? options.none : options.lead}</p>
        {fields.map((field) => (
          <OptionInput
            key={field.name}
            field={field}
            text={filled[field.name] ?? ""}
            error={errorOf(field.name)}
            onText={(text) => setFilled((before) => ({ ...before, [field.name]: text }))}
          />
        ))}
        {alike && <CheckField label={alike} checked={forAll} onCheck={setForAll} />}
        <div class="actions convert-options-end">
          {Object.values(filled).some((text) => text !== "") && (
            <Button kind="quiet" onClick={() => setFilled({})}>
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

const faultText = ({ reason, minimum, maximum }: FieldFault): string => {
  const { faults } = texts.value.options;
  switch (reason) {
    case "range":
      return faults.range(String(minimum ?? ""), String(maximum ?? ""));
    case "long":
      return faults.long(String(maximum ?? ""));
    default:
      return faults[reason];
  }
};
