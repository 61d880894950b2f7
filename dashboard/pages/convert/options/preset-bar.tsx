import { useState } from "preact/hooks";
import { api, type Schemas } from "../../../api.ts";
import { texts } from "../../../text.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { announce, toast } from "../../../ui/live.tsx";
import { ProblemNotice } from "../../../ui/notice.tsx";
import { useRemote } from "../../../ui/remote.ts";
import { reusable } from "./remembered.ts";
import type { OptionValues } from "./schema-form.ts";

export interface PresetBarProps {
  /** ID of the target format. */
  readonly target: string;
  readonly onFill: (options: OptionValues) => void;
}

/** @returns the presets whose options can be used with the target; those with steps are for programs */
export const presetsFor = (presets: readonly Schemas["Preset"][], target: string): readonly Schemas["Preset"][] =>
  presets.filter(
    ({ target_format, steps, options }) =>
      (target_format === null || target_format === target) && steps === null && Object.keys(options).length > 0,
  );

/** Fills the options of a conversion from a preset of the account. */
export const PresetBar = ({ target, onFill }: PresetBarProps) => {
  const { presets } = texts.value;
  const [chosen, setChosen] = useState("");
  // Without presets, the options are the same as before.
  const list = useRemote(() => api.get<Schemas["PresetList"]>("presets"));
  const found = presetsFor(list.data?.presets ?? [], target);
  if (found.length === 0) {
    return null;
  }
  const choose = (name: string): void => {
    const preset = found.find((each) => each.name === name);
    setChosen(name);
    if (preset !== undefined) {
      onFill(preset.options);
      announce(presets.filled(name));
    }
  };
  return (
    <SelectField
      label={presets.fill}
      choices={[["", presets.fillNone], ...found.map(({ name }) => [name, name] as const)]}
      value={chosen}
      onChoice={choose}
    />
  );
};

export interface SavePresetProps {
  readonly target: string;
  /** @returns the options of the form; undefined if one is not valid */
  readonly read: () => OptionValues | undefined;
}

/** Saves the options of a conversion as a preset of the account, without secrets and values that belong to one file. */
export const SavePreset = ({ target, read }: SavePresetProps) => {
  const { presets, common } = texts.value;
  const [name, setName] = useState<string>();
  const saving = useAction(async (options: OptionValues) => {
    const path = `presets/${encodeURIComponent(name?.trim() ?? "")}`;
    await api.put(path, { target_format: target, options: reusable(options) });
    toast(presets.form.saved(name?.trim() ?? ""));
    setName(undefined);
  });
  if (name === undefined) {
    return (
      <Button kind="quiet" onClick={() => setName("")}>
        {presets.save}
      </Button>
    );
  }
  const save = async (): Promise<void> => {
    const options = read();
    if (options !== undefined && name.trim() !== "") {
      await saving.run(options);
    }
  };
  return (
    <div class="convert-save-preset">
      <TextField
        label={presets.saveName}
        hint={presets.form.nameHint}
        value={name}
        maxLength={64}
        autoComplete="off"
        spellcheck={false}
        onText={setName}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            // The form around it would apply the options.
            event.preventDefault();
            void save();
          }
        }}
      />
      <div class="actions">
        <Button disabled={name.trim() === ""} onClick={save}>
          {presets.form.save}
        </Button>
        <Button kind="quiet" onClick={() => setName(undefined)}>
          {common.cancel}
        </Button>
      </div>
      {saving.problem !== undefined && <ProblemNotice error={saving.problem} />}
    </div>
  );
};
