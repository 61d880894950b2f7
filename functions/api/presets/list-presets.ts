import { presetView } from "../../domain/pipelines/preset.ts";
import { example, operation } from "../operation.ts";
import { keyed, useOnly } from "../permissions.ts";

/** Lists the presets of the account, by name. */
export const listPresets = operation({
  id: "listPresets",
  methods: ["GET"],
  path: "/api/v1/presets",
  auth: "key",
  scope: "read",
  permissions: { tables: keyed, only: useOnly, lists: true },
  tag: "Pipelines",
  summary: "List presets",
  description: "Lists the saved presets of the account with their settings, by name.",
  answers: { 200: { description: "The presets.", examples: ["presetList"] } },
  examples: ({ preset }) => ({
    presetList: example("PresetList", "One preset", { presets: [presetView(preset)] }),
  }),
  run:
    (context) =>
    async ({ accountId }) => {
      const presets = await context.presets.presetsOf(accountId);
      const byName = [...presets].sort((one, other) => (one.name < other.name ? -1 : 1));
      return { status: 200, body: { presets: byName.map(presetView) } };
    },
});
