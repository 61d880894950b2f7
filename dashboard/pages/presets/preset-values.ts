import type { Schemas } from "../../api.ts";

/** The form of a preset: its options and steps are JSON. */
export interface PresetValues {
  readonly name: string;
  readonly target: string;
  readonly options: string;
  readonly steps: string;
}

export type PresetProblem = "missing" | "nothing" | "notJson";

export type PresetProblems = ReadonlyMap<keyof PresetValues, PresetProblem>;

/** @returns the form of a preset, or of a new one */
export const presetValues = (preset?: Schemas["Preset"]): PresetValues => ({
  name: preset?.name ?? "",
  target: preset?.target_format ?? "",
  options: preset === undefined || Object.keys(preset.options).length === 0 ? "" : formatted(preset.options),
  steps: preset?.steps == null ? "" : formatted(preset.steps),
});

const formatted = (value: unknown): string => JSON.stringify(value, null, 2);

/** @returns the body of the request that saves the preset, or what is wrong with the form. The service checks the rest */
export const presetRequest = (
  values: PresetValues,
): { readonly body?: Schemas["PresetRequest"]; readonly problems: PresetProblems } => {
  const problems = new Map<keyof PresetValues, PresetProblem>();
  const [options, steps] = [parsed(values.options), parsed(values.steps)];
  if (values.name.trim() === "") {
    problems.set("name", "missing");
  }
  if (options !== undefined && (typeof options !== "object" || options === null || Array.isArray(options))) {
    problems.set("options", "notJson");
  }
  if (steps !== undefined && !Array.isArray(steps)) {
    problems.set("steps", "notJson");
  }
  const target = values.target.trim();
  if (target === "" && options === undefined && steps === undefined) {
    problems.set("target", "nothing");
  }
  const body = {
    ...(target !== "" && { target_format: target }),
    ...(options !== undefined && { options }),
    ...(steps !== undefined && { steps }),
  };
  return problems.size > 0 ? { problems } : { body: body as Schemas["PresetRequest"], problems };
};

/** @returns undefined for empty text, null for text that is not JSON */
const parsed = (text: string): unknown => {
  if (text.trim() === "") {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
