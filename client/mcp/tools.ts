import type { Job } from "../api.ts";
import { convert, merge } from "./convert-tools.ts";
import { formats } from "./format-tool.ts";
import { pipeline } from "./pipeline-tool.ts";
import type { Params } from "./protocol.ts";
import * as settingsSchemas from "./settings-schemas.ts";
import * as settings from "./settings-tools.ts";
import { type ToolContext, textOf } from "./tool-context.ts";
import * as schemas from "./tool-schemas.ts";

/** The tools that a model can call. */

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  readonly annotations: object;
  call(context: ToolContext, args: Params): Promise<object>;
}

const status: Tool["call"] = async ({ client }, args) => jobView(await client.status(textOf(args, "job_id")));

const jobView = ({ id, status: state, progress, source_format, target_format, result, warnings, error }: Job) => ({
  id,
  status: state,
  progress,
  source_format,
  target_format,
  filename: result?.filename ?? null,
  size: result?.size ?? null,
  warnings,
  error,
});

const account: Tool["call"] = async ({ client }) => {
  const { plan, quota, retention_hours } = await client.account();
  const { limit, used, remaining, resets_at } = quota;
  return { plan, limit, used, remaining, resets_at, retention_hours };
};

const READS = { readOnlyHint: true, openWorldHint: false };
const REPLACES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

const tools: readonly Tool[] = [
  {
    name: "convert",
    title: "Convert a file",
    description:
      "Converts one file, given as a path or an http(s) URL, to another format. Writes the result to `output`, or to the input's folder (for a URL: to the first allowed folder). Use `formats` to see what is possible and which options there are.",
    inputSchema: schemas.convertInput,
    outputSchema: schemas.convertOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    call: convert,
  },
  {
    name: "merge",
    title: "Merge files",
    description:
      "Merges several files, given as paths or http(s) URLs, into one file in the given order, for example images or PDF files into a PDF. Writes the result to `output`.",
    inputSchema: schemas.mergeInput,
    outputSchema: schemas.convertOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    call: merge,
  },
  {
    name: "pipeline",
    title: "Run a pipeline",
    description:
      "Runs several conversions that read each other's results, for example convert, watermark, merge and encrypt, and writes all results to the folder `output`. Each step has a `name`, an `operation` and `from`: the names of the inputs or steps that it reads.",
    inputSchema: schemas.pipelineInput,
    outputSchema: schemas.pipelineOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    call: pipeline,
  },
  {
    name: "formats",
    title: "List formats",
    description:
      "Without arguments, lists the families of formats. With `family`, lists its formats; with `source`, the formats it can be converted to; with `target`, the formats that can be converted to it; with both, returns that conversion with its options as JSON Schema.",
    inputSchema: schemas.formatsInput,
    outputSchema: schemas.formatsOutput,
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: formats,
  },
  {
    name: "status",
    title: "Get job status",
    description: "Returns the status and progress of a conversion job, and the error if it failed.",
    inputSchema: schemas.statusInput,
    outputSchema: schemas.statusOutput,
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: status,
  },
  {
    name: "account",
    title: "Get account",
    description: "Returns the plan, the monthly quota with its usage, and how long files are kept.",
    inputSchema: schemas.accountInput,
    outputSchema: schemas.accountOutput,
    annotations: { readOnlyHint: true, openWorldHint: false },
    call: account,
  },
  {
    name: "presets",
    title: "List presets",
    description:
      "Lists the saved presets: target format, options and steps that `convert` and `merge` use by `preset`.",
    inputSchema: settingsSchemas.noInput,
    outputSchema: settingsSchemas.presetsOutput,
    annotations: READS,
    call: settings.listPresets,
  },
  {
    name: "save_preset",
    title: "Save a preset",
    description: "Adds a preset, or replaces the one with this name.",
    inputSchema: settingsSchemas.savePresetInput,
    outputSchema: settingsSchemas.presetOutput,
    annotations: REPLACES,
    call: settings.savePreset,
  },
  {
    name: "delete_preset",
    title: "Delete a preset",
    description: "Deletes a preset.",
    inputSchema: settingsSchemas.nameInput,
    outputSchema: settingsSchemas.deletedOutput,
    annotations: REPLACES,
    call: settings.deletePreset,
  },
  {
    name: "storages",
    title: "List storages",
    description: "Lists the saved S3 buckets and WebDAV folders that `export` of `convert` and `merge` can name.",
    inputSchema: settingsSchemas.noInput,
    outputSchema: settingsSchemas.storagesOutput,
    annotations: READS,
    call: settings.listStorages,
  },
  {
    name: "save_storage",
    title: "Save a storage",
    description:
      "Adds an S3 bucket or WebDAV folder, or replaces the one with this name. The secret is read from an environment variable of the MCP server.",
    inputSchema: settingsSchemas.saveStorageInput,
    outputSchema: settingsSchemas.storageOutput,
    annotations: REPLACES,
    call: settings.saveStorage,
  },
  {
    name: "test_storage",
    title: "Test a storage",
    description: "Writes a small file to a storage and deletes it.",
    inputSchema: settingsSchemas.nameInput,
    outputSchema: settingsSchemas.testOutput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    call: settings.testStorage,
  },
  {
    name: "delete_storage",
    title: "Delete a storage",
    description: "Deletes a storage and its credentials. Files in it are kept.",
    inputSchema: settingsSchemas.nameInput,
    outputSchema: settingsSchemas.deletedOutput,
    annotations: REPLACES,
    call: settings.deleteStorage,
  },
];

export const toolViews = tools.map(({ call: _, ...view }) => view);

export const toolNamed = (name: unknown): Tool | undefined => tools.find((tool) => tool.name === name);
