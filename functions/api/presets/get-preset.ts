import { presetView } from "../../domain/pipelines/preset.ts";
import { operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { presetNotFound } from "./require-preset.ts";

/** Returns a preset. */
export const getPreset = operation({
  id: "getPreset",
  methods: ["GET"],
  path: "/api/v1/presets/{name}",
  auth: "key",
  scope: "read",
  permissions: { tables: keyed, only: useOnly },
  tag: "Pipelines",
  summary: "Retrieve a preset",
  description: "Returns the settings that are saved under a name.",
  parameters: ["presetName"],
  answers: { 200: { description: "The preset.", examples: ["preset"] } },
  errors: ["not_found"],
  run: (context) => async (request) => {
    const preset = await context.presets.getPreset(request.accountId, param(request, "name"));
    if (preset === undefined) {
      throw presetNotFound(request);
    }
    return { status: 200, body: presetView(preset) };
  },
});
