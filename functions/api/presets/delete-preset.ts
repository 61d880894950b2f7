import { operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";
import { param } from "../request.ts";
import { presetNotFound } from "./require-preset.ts";

/** Deletes a preset. Conversions that used it are not affected. */
export const deletePreset = operation({
  id: "deletePreset",
  methods: ["DELETE"],
  path: "/api/v1/presets/{name}",
  auth: "key",
  scope: "convert",
  permissions: { tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] }, only: useOnly },
  tag: "Pipelines",
  summary: "Delete a preset",
  description: "Deletes a preset. Conversions that used it are not affected.",
  parameters: ["presetName"],
  answers: { 204: { description: "The preset was deleted." } },
  errors: ["not_found"],
  run: (context) => async (request) => {
    if (!(await context.presets.removePreset(request.accountId, param(request, "name")))) {
      throw presetNotFound(request);
    }
    return { status: 204 };
  },
});
