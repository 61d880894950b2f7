import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { RequestError } from "../../domain/errors.ts";
import { formatNamed } from "../../domain/formats/formats.ts";
import { PIPELINE_STEPS_MAX, PRESET_BYTES_MAX, PRESETS_MAX } from "../../domain/limits.ts";
import { type Preset, presetView } from "../../domain/pipelines/preset.ts";
import type { Context } from "../../domain/ports.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { inlineStep, NAME } from "../pipelines/step-request.ts";
import { type ApiRequest, invalidValue, param } from "../request.ts";

/** DynamoDB stores 32 levels, including those of the record. */
const LEVELS_MAX = 20;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));

export const presetRequest = described(
  z
    .strictObject({
      target_format: z.optional(
        described(z.string().check(z.minLength(1), z.maxLength(100)), "ID, extension or media type of a format."),
      ),
      options: z.optional(
        described(
          z.record(z.string(), z.unknown()),
          "Options of the conversion. They are checked when a request uses the preset, because they depend on the source format.",
        ),
      ),
      steps: z.optional(
        described(
          z.array(inlineStep).check(z.minLength(1), z.maxLength(PIPELINE_STEPS_MAX - 1)),
          "Steps of `createJob`. A preset with steps cannot be the preset of a step.",
        ),
      ),
    })
    .check(
      z.refine((preset) => Object.keys(preset).length > 0, "an object with at least one entry"),
      z.refine((preset) => !isDeeper(preset, LEVELS_MAX), `an object with at most ${LEVELS_MAX} levels`),
    ),
  "Settings of conversions.",
);

type PresetRequest = z.infer<typeof presetRequest>;

/** Adds a preset to the account, or replaces the one with its name. */
export const savePreset = operation({
  id: "savePreset",
  methods: ["PUT"],
  path: "/api/v1/presets/{name}",
  auth: "key",
  scope: "convert",
  permissions: { tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] }, only: useOnly, lists: true },
  tag: "Pipelines",
  summary: "Save a preset",
  description: `Saves settings under a name, or replaces those with this name. Conversions and steps of pipelines use them by \`preset\`; what a request sets itself takes precedence, option by option. An account can have ${PRESETS_MAX} presets of ${PRESET_BYTES_MAX} bytes each.`,
  parameters: ["presetName"],
  requests: ["presetRequest"],
  answers: { 200: { description: "The preset was saved.", examples: ["preset"] } },
  errors: ["limit_reached"],
  examples: ({ preset }) => ({
    presetRequest: example("PresetRequest", "Photos for a website", {
      target_format: "webp",
      options: { width: 1_600, quality: 80 },
    } satisfies PresetRequest),
    preset: example("Preset", "A saved preset", presetView(preset)),
  }),
  schemas: () => ({ PresetRequest: presetRequest }),
  body: presetRequest,
  run: (context) => async (request) => {
    const preset = presetOf(request);
    await checkRoom(context, request, preset);
    await context.presets.savePreset(preset);
    return { status: 200, body: presetView(preset) };
  },
});

const presetOf = (request: ApiRequest<PresetRequest>): Preset => {
  const { body, accountId, now } = request;
  const name = param(request, "name");
  if (!NAME.test(name)) {
    throw invalidValue(
      "/name",
      "The name must have 1 to 64 letters, digits, `-` and `_`, and start with a letter or digit.",
    );
  }
  const { target_format: target, options, steps } = body;
  if (target !== undefined && formatNamed(target) === undefined) {
    throw invalidValue("/target_format", `\`target_format\` is not a known format: ${target.slice(0, 64)}.`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > PRESET_BYTES_MAX) {
    throw invalidValue("", `A preset can have ${PRESET_BYTES_MAX} bytes. This one has ${bytes}.`);
  }
  return {
    accountId,
    name,
    ...(target !== undefined && { targetFormat: target }),
    ...(options && { options }),
    ...(steps && { steps }),
    updatedAt: now,
  };
};

/** Concurrent requests can exceed the limit by a few. */
const checkRoom = async ({ presets }: Context, { accountId }: ApiRequest<unknown>, { name }: Preset): Promise<void> => {
  if ((await presets.getPreset(accountId, name)) === undefined) {
    const { length } = await presets.presetsOf(accountId);
    if (length >= PRESETS_MAX) {
      throw new RequestError("limit_reached", `The account has ${length} presets. Delete one first.`);
    }
  }
};
