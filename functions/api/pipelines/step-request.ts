import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { FILENAME_CHARACTERS_MAX, PIPELINE_STEP_INPUTS_MAX } from "../../domain/limits.ts";
import { operationNames } from "../../domain/pipelines/operations.ts";

/** Names of steps, inputs and presets. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** @returns a schema of a name */
export const nameSchema = (description: string) => described(z.string().check(z.regex(NAME)), description);

/** @returns the schema of a reference to a preset */
export const presetName = () =>
  nameSchema("Name of a saved preset. Its settings apply unless the request sets them; options are merged.");

/** The fields that steps of every form have. A function, because a description belongs to one schema. */
const settings = () => ({
  target_format: z.optional(
    described(
      z.string().check(z.minLength(1), z.maxLength(100)),
      "ID, extension or media type of the format of the result. `convert` requires it; `merge` defaults to pdf, `archive` to zip, `thumbnail` to jpg, and the other operations to the format of the input.",
    ),
  ),
  options: z.optional(
    described(
      z.record(z.string(), z.unknown()),
      "Options of the conversion, as `getConversion` describes them. An option whose value is the ID of an upload can also name an input.",
    ),
  ),
  preset: z.optional(presetName()),
  filename: z.optional(
    described(
      z.string().check(z.minLength(1), z.maxLength(FILENAME_CHARACTERS_MAX)),
      "The filename of the result. Default: the name of the first input with the extension of the target format.",
    ),
  ),
});

const operation = () =>
  described(z.enum(operationNames), "What the step does. All options of its conversion are allowed.");

const source = () => z.string().check(z.minLength(1), z.maxLength(64));

/** A step of a pipeline. */
export const stepRequest = described(
  z.strictObject({
    name: nameSchema("A name that other steps read the result under."),
    operation: operation(),
    from: z.optional(
      described(
        z.union([source(), z.array(source()).check(z.minLength(1), z.maxLength(PIPELINE_STEP_INPUTS_MAX))]),
        "The inputs and steps that it reads, by name; `merge` and `archive` read several, in this order. Default: the step before it, or the only input.",
      ),
    ),
    ...settings(),
    result: z.optional(
      described(
        z.boolean(),
        "Whether its result is offered for download. Default: whether no other step reads it. Each result is counted as one request.",
      ),
    ),
  }),
  "A step of a pipeline.",
);

/** A step after a conversion. */
export const inlineStep = described(
  z.strictObject({ operation: operation(), ...settings() }),
  "A step that reads the result of the one before.",
);

export type StepRequest = z.infer<typeof stepRequest>;
export type InlineStep = z.infer<typeof inlineStep>;
