import { basename, dirname, join } from "node:path";
import { isAddress } from "../command/plan.ts";
import { overall } from "../command/progress-bar.ts";
import { exists, outputExists } from "../node/node-save.ts";
import { withUploads } from "../node/option-uploads.ts";
import type { ConvertOptions, Input, SavableFile } from "../node.ts";
import { isRecord, type Params } from "./protocol.ts";
import { optionalText, type ToolContext, textOf, textsOf } from "./tool-context.ts";

/** The tools that write files. */

type Call = (context: ToolContext, args: Params) => Promise<object>;

export const convert: Call = async (context, args) => {
  const [input, target] = [textOf(args, "input"), optionalText(args, "target")];
  const source = await sourceOf(context, input, args);
  const requested = optionalText(args, "output");
  const overwrite = args.overwrite === true;
  const chosen = requested === undefined ? undefined : await freeOutput(context, requested, overwrite);
  const file = await context.client.convert(source, target, await optionsOf(context, args));
  const folder = typeof source !== "string" || isAddress(source) ? (context.folders.roots[0] ?? ".") : dirname(source);
  const path = chosen ?? (await context.folders.writable(join(folder, basename(file.name))));
  return saved(context, file, { path, overwrite });
};

export const merge: Call = async (context, args) => {
  const [inputs, target] = [textsOf(args, "inputs"), optionalText(args, "target")];
  const wanted = textOf(args, "output");
  const sources = await Promise.all(inputs.map((input) => sourceOf(context, input, args)));
  const path = await freeOutput(context, wanted, args.overwrite === true);
  const file = await context.client.merge(sources, target, await optionsOf(context, args));
  return saved(context, file, { path, overwrite: args.overwrite === true });
};

/** @throws ToolError for a path outside of the folders */
const sourceOf = async ({ folders }: ToolContext, input: string, args: Params): Promise<Input> => {
  const storage = optionalText(args, "storage");
  if (storage !== undefined) {
    return { storage, key: input };
  }
  if (isAddress(input)) {
    return args.page === true ? { page: input } : input;
  }
  return folders.readable(input);
};

/** @throws AnyformError `output_exists`, before anything is sent */
const freeOutput = async ({ folders }: ToolContext, output: string, overwrite: boolean): Promise<string> => {
  const path = await folders.writable(output);
  if (!overwrite && (await exists(path))) {
    throw outputExists(path);
  }
  return path;
};

const optionsOf = async (
  { client, folders, signal, report }: ToolContext,
  { options, preset, steps, export: target, webhook_url: webhookUrl, metadata }: Params,
): Promise<ConvertOptions> => ({
  // The service checks these.
  ...(preset !== undefined && { preset: String(preset) }),
  ...(Array.isArray(steps) && { steps }),
  ...(isRecord(target) && { exportTo: target }),
  ...(webhookUrl !== undefined && { webhookUrl: String(webhookUrl) }),
  ...(isRecord(metadata) && { metadata: metadata as Readonly<Record<string, string>> }),
  otherOptions: isRecord(options)
    ? await withUploads(options, { client, readable: folders.readable, signal })
    : undefined,
  signal,
  onProgress: (progress) => report(overall(progress), `${progress.phase} ${progress.percent} %`),
});

const saved = async (
  { report }: ToolContext,
  file: SavableFile,
  { path, overwrite }: { readonly path: string; readonly overwrite: boolean },
): Promise<object> => {
  const output = await file.save(path, { overwrite });
  // The download of an empty file reports nothing.
  report(100, "completed");
  const { job, size, mediaType, warnings } = file;
  return { output, size, media_type: mediaType, fidelity: job.fidelity, job_id: job.id, warnings };
};
