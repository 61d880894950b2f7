import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { PIPELINE_INPUTS_MAX, PIPELINE_STEPS_MAX } from "../../domain/limits.ts";
import { metadataSchema, webhookUrl } from "../conversion/conversion-request.ts";
import { NAME, stepRequest } from "./step-request.ts";

const inputs = z.record(z.string().check(z.regex(NAME)), z.string().check(z.minLength(1), z.maxLength(64))).check(
  z.refine((names) => {
    const count = Object.keys(names).length;
    return count > 0 && count <= PIPELINE_INPUTS_MAX;
  }, `an object with 1 to ${PIPELINE_INPUTS_MAX} entries`),
);

// The JSON Schema that is generated from this does not include refinements.
z.globalRegistry.add(inputs, {
  description: "Upload IDs by the names that steps read them under.",
  minProperties: 1,
  maxProperties: PIPELINE_INPUTS_MAX,
});

export const pipelineRequest = described(
  z.strictObject({
    inputs,
    steps: described(
      z.array(stepRequest).check(z.minLength(1), z.maxLength(PIPELINE_STEPS_MAX)),
      `The steps, at most ${PIPELINE_STEPS_MAX}, in any order.`,
    ),
    webhook_url: z.optional(
      described(
        webhookUrl(),
        "The URL that receives a webhook when the pipeline ends. Default: the account's webhook URL, if any.",
      ),
    ),
    metadata: z.optional(metadataSchema()),
  }),
  "Conversions that read each other's results.",
);

export type PipelineRequest = z.infer<typeof pipelineRequest>;
