import { useRef, useState } from "preact/hooks";
import { ApiProblem, api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { type PresetProblems, type PresetValues, presetRequest, presetValues } from "./preset-values.ts";

export interface PresetFormProps {
  /** The preset to edit. @default a new one */
  readonly of?: Schemas["Preset"];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Asks for the settings of a preset, and saves them. */
export const PresetForm = ({ of: preset, onClose, onSaved }: PresetFormProps) => {
  const { common, presets } = texts.value;
  const [values, setValues] = useState(() => presetValues(preset));
  const [problems, setProblems] = useState<PresetProblems>(new Map());
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const name = values.name.trim();
  const saving = useAction(async (body: Schemas["PresetRequest"]) => {
    await api.put(`presets/${encodeURIComponent(name)}`, body);
    toast(presets.form.saved(name));
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const read = presetRequest(values);
    setProblems(read.problems);
    if (read.body === undefined) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    setBusy(true);
    if (await saving.run(read.body)) {
      onSaved();
    }
    setBusy(false);
  };
  const errorOf = (field: keyof PresetValues): string | undefined => {
    const problem = problems.get(field);
    return problem === undefined ? rejection(saving.problem, field) : presets.form[problem];
  };
  const change = (part: Partial<PresetValues>): void => setValues({ ...values, ...part });
  return (
    <Dialog
      title={preset ? presets.form.editTitle(preset.name) : presets.form.addTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="presets-form" busy={busy}>
            {presets.form.save}
          </Button>
        </>
      }
    >
      <form ref={form} id="presets-form" class="presets-form" noValidate onSubmit={submit}>
        {preset === undefined && (
          <TextField
            label={presets.name}
            hint={presets.form.nameHint}
            error={errorOf("name")}
            value={values.name}
            maxLength={64}
            autoComplete="off"
            spellcheck={false}
            required
            onText={(text) => change({ name: text })}
          />
        )}
        <TextField
          label={`${presets.target} (${common.optional})`}
          hint={presets.form.targetHint}
          error={errorOf("target")}
          value={values.target}
          autoComplete="off"
          spellcheck={false}
          onText={(target) => change({ target })}
        />
        <JsonField
          label={`${presets.options} (${common.optional})`}
          hint={presets.form.optionsHint}
          error={errorOf("options")}
          value={values.options}
          onText={(options) => change({ options })}
        />
        <JsonField
          label={`${presets.steps} (${common.optional})`}
          hint={presets.form.stepsHint}
          error={errorOf("steps")}
          value={values.steps}
          onText={(steps) => change({ steps })}
        />
        {saving.problem !== undefined && <ProblemNotice error={saving.problem} />}
      </form>
    </Dialog>
  );
};

const POINTERS: Readonly<Record<keyof PresetValues, RegExp>> = {
  name: /^\/name/,
  target: /^\/target_format/,
  options: /^\/options/,
  steps: /^\/steps/,
};

/** @returns the service's error about the field */
const rejection = (problem: unknown, field: keyof PresetValues): string | undefined =>
  problem instanceof ApiProblem
    ? problem.errors.find(({ pointer }) => POINTERS[field].test(pointer))?.detail
    : undefined;

interface JsonFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}

const JsonField = ({ label, hint, error, value, onText }: JsonFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(attributes) => (
      <textarea
        {...attributes}
        rows={3}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    )}
  </Field>
);
