import { RequestError } from "../../domain/errors.ts";
import type { Preset } from "../../domain/pipelines/preset.ts";
import type { Context } from "../../domain/ports.ts";
import type { CompleteRequest, ConversionRequest } from "../conversion/conversion-request.ts";
import type { InlineStep } from "../pipelines/step-request.ts";
import type { ApiRequest } from "../request.ts";

/** A request with steps, whose preset has been applied. */
export interface RequestWithSteps {
  readonly request: ApiRequest<ConversionRequest>;
  readonly steps: readonly InlineStep[];
}

/** A request without steps, whose preset has been applied. */
export interface RequestWithTarget {
  readonly request: ApiRequest<CompleteRequest>;
}

/**
 * Applies the preset of a request. What the request sets takes precedence; options are merged.
 *
 * @throws RequestError `invalid_request` when there is no such preset, or the target format is missing
 */
export const withPreset = async (
  context: Pick<Context, "presets">,
  request: ApiRequest<ConversionRequest>,
): Promise<RequestWithSteps | RequestWithTarget> => {
  const { preset: name, ...body } = request.body;
  const preset = name === undefined ? undefined : await requirePreset(context, request, name);
  const options = { ...preset?.options, ...body.options };
  const target = body.target_format ?? preset?.targetFormat;
  const steps = body.steps ?? (preset?.steps as readonly InlineStep[] | undefined);
  const complete = {
    ...body,
    ...(target !== undefined && { target_format: target }),
    ...(Object.keys(options).length > 0 && { options }),
  };
  if (steps !== undefined) {
    return { request: { ...request, body: complete }, steps };
  }
  if (target === undefined) {
    const detail = `\`target_format\` is required: the preset ${name} has none.`;
    const errors = [{ pointer: "/target_format", code: "required", detail }];
    throw new RequestError("invalid_request", detail, { errors });
  }
  return { request: { ...request, body: { ...complete, target_format: target } } };
};

/**
 * @param pointer where the name is in the request
 * @returns the account's preset with the name
 * @throws RequestError `invalid_request`
 */
export const requirePreset = async (
  { presets }: Pick<Context, "presets">,
  { accountId }: Pick<ApiRequest, "accountId">,
  name: string,
  pointer = "/preset",
): Promise<Preset> => {
  const preset = await presets.getPreset(accountId, name);
  if (preset === undefined) {
    const detail = `There is no preset ${name}. \`GET /api/v1/presets\` lists the presets of the account.`;
    throw new RequestError("invalid_request", detail, { errors: [{ pointer, code: "unknown", detail }] });
  }
  return preset;
};
