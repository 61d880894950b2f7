import { basename, dirname, join } from "node:path";
import type { Conversion, Job } from "../api.ts";
import type { Anyform, Progress } from "../node.ts";
import { exists, outputExists } from "../node-save.ts";
import type { Folders } from "./folders.ts";
import { isRecord, type Params } from "./protocol.ts";
import { ToolError } from "./tool-error.ts";
import * as schemas from "./tool-schemas.ts";

/** The tools that a model can call. */

export interface ToolContext {
  readonly client: Anyform;
  readonly folders: Folders;
  readonly signal: AbortSignal;
  report(percent: number, message: string): void;
}

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  readonly annotations: object;
  call(context: ToolContext, args: Params): Promise<object>;
}

const convert: Tool["call"] = async ({ client, folders, signal, report }, args) => {
  const [input, target] = [textOf(args, "input"), textOf(args, "target")];
  const options = isRecord(args.options) ? args.options : undefined;
  const overwrite = args.overwrite === true;
  const isAddress = /^https?:/i.test(input);
  const source = isAddress ? input : await folders.readable(input);
  const requested = args.output === undefined ? undefined : await folders.writable(textOf(args, "output"));
  if (requested !== undefined && !overwrite && (await exists(requested))) {
    throw outputExists(requested);
  }
  const onProgress = (progress: Progress) => report(overall(progress), `${progress.phase} ${progress.percent} %`);
  const file = await client.convert(source, target, { options, signal, onProgress });
  const folder = isAddress ? (folders.roots[0] ?? ".") : dirname(source);
  const path = requested ?? (await folders.writable(join(folder, basename(file.name))));
  const output = await file.save(path, { overwrite });
  const { job, size, mediaType, warnings } = file;
  return { output, size, media_type: mediaType, fidelity: job.fidelity, job_id: job.id, warnings };
};

/** Start and share of each phase in the overall progress, in percent. */
const shares = { upload: [0, 30], convert: [30, 60], download: [90, 10] } as const;

const overall = ({ phase, percent }: Progress): number => {
  const [start, share] = shares[phase];
  return start + Math.floor((share * percent) / 100);
};

/** Models pay per token: a narrower request gets more details. */
const formats: Tool["call"] = async ({ client }, args) => {
  const [source, target] = [optionalText(args, "source"), optionalText(args, "target")];
  if (source === undefined && target === undefined) {
    const list = await client.formats();
    return {
      formats: list.formats.map(({ id, family, targets, writable }) => ({
        id,
        family,
        readable: targets.length > 0,
        writable,
      })),
    };
  }
  const { conversions = [] } = await client.formats({ source, target, conversions: true });
  const withOptions = source !== undefined && target !== undefined;
  return { conversions: conversions.map((each) => conversionView(each, withOptions)) };
};

const conversionView = ({ source, target, fidelity, options, max_bytes }: Conversion, withOptions: boolean) => ({
  source,
  target,
  fidelity,
  ...(withOptions && { options, max_bytes }),
});

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
    name: "formats",
    title: "List formats",
    description:
      "Lists all formats. With `source` or `target`, lists the matching conversions; with both, includes their options as JSON Schema.",
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
];

export const toolViews = tools.map(({ call: _, ...view }) => view);

export const toolNamed = (name: unknown): Tool | undefined => tools.find((tool) => tool.name === name);

/** @throws ToolError if it is missing */
const textOf = (args: Params, name: string): string => {
  const text = optionalText(args, name);
  if (text === undefined) {
    throw new ToolError(`\`${name}\` is required.`);
  }
  return text;
};

const optionalText = (args: Params, name: string): string | undefined => {
  const value = args[name];
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== "string" || value === "") {
    throw new ToolError(`\`${name}\` must be a non-empty string.`);
  }
  return value;
};
