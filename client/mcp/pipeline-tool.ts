import { basename, join } from "node:path";
import type { PipelineDefinition } from "../api.ts";
import { isAddress } from "../command/plan.ts";
import { isRecord, type Params } from "./protocol.ts";
import { type ToolContext, textOf } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";

/** The tool that runs several conversions. */
export const pipeline = async (context: ToolContext, args: Params): Promise<object> => {
  const { client, folders, report, signal } = context;
  const { inputs, steps, overwrite } = args;
  if (!isRecord(inputs) || !Array.isArray(steps)) {
    throw new ToolError("`inputs` must be an object, and `steps` a list.");
  }
  const folder = textOf(args, "output");
  // The names of the results are known later. A folder that cannot be used is reported before anything is sent.
  await folders.writable(join(folder, "result"));
  const sources: Record<string, string> = {};
  for (const name of Object.keys(inputs)) {
    const path = textOf(inputs, name);
    sources[name] = isAddress(path) ? path : await folders.readable(path);
  }
  // The service checks the steps.
  const definition = { steps } as PipelineDefinition;
  const waiting = { signal, onProgress: (percent: number) => report(percent, `${percent} %`) };
  const { pipeline: ended, files } = await client.pipelines.run(definition, sources, waiting);
  const outputs: Record<string, string> = {};
  for (const [step, file] of Object.entries(files)) {
    const path = await folders.writable(join(folder, `${step}-${basename(file.name)}`));
    outputs[step] = await file.save(path, { overwrite: overwrite === true });
  }
  return { pipeline_id: ended.id, outputs };
};
