import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { atOnce } from "../at-once.ts";
import { exists, outputExists } from "../node/node-save.ts";
import { withUploads } from "../node/option-uploads.ts";
import type { Anyform, ConvertOptions, SavableFile } from "../node.ts";
import { chunksOf } from "../transfer/input.ts";
import { type Arguments, countOf } from "./arguments.ts";
import { type Exit, exitOf, mostSevere, UsageError } from "./exit.ts";
import { meaningOf } from "./options.ts";
import { planOf, type Task } from "./plan.ts";
import { type Report, reportTo } from "./report.ts";
import { exportOf, metadataOf, stepsIn } from "./request-parts.ts";
import type { Run } from "./run.ts";
import { clientFor, serviceFor } from "./settings.ts";
import { likelyConversions, targetOf } from "./target.ts";

const JOBS_DEFAULT = 4;
const JOBS_MAX = 32;

/** @returns concurrent conversions @throws UsageError */
export const jobsOf = (args: Arguments): number =>
  countOf("jobs", args.text("jobs"), { max: JOBS_MAX, start: JOBS_DEFAULT });

/** Converts the inputs of the command line. Detectable errors are reported before anything is sent. */
export const convert = async ({ args, signal }: Run): Promise<Exit> => {
  const limit = jobsOf(args);
  const existing = existingOf(args);
  const client = await clientFor({ key: "required" });
  const { tasks, target, options: given } = await workOf(args);
  const options = await withUploads(given, { client, signal });
  const merge = args.flag("merge");
  const context: Context = {
    client,
    target,
    existing,
    options: {
      signal,
      resume: resumeOf(args.text("resume"), tasks),
      ...(hasOptions(options) && { otherOptions: options }),
      preset: args.text("preset"),
      steps: await stepsIn(args.text("steps")),
      exportTo: exportOf(args.text("export")),
      webhookUrl: args.text("webhook"),
      metadata: metadataOf(args.texts("metadata")),
    },
    report: reportTo({
      total: merge ? 1 : tasks.length,
      json: args.flag("json"),
      quiet: args.flag("quiet"),
      toStdout: tasks[0]?.output === undefined,
      summary: !merge && tasks.length > 1,
    }),
    halt: {},
  };
  try {
    return merge ? await mergeAll(context, tasks) : await convertAll(context, tasks, limit);
  } finally {
    context.report.end();
  }
};

interface Context {
  readonly client: Anyform;
  readonly target: string;
  readonly existing: Existing;
  readonly options: ConvertOptions;
  readonly report: Report;
  /** Set by an error that affects all inputs: no further conversion is started. */
  readonly halt: { by?: { readonly exit: Exit; readonly error: unknown } };
}

/** What happens to an input whose output exists. */
type Existing = "fail" | "replace" | "skip";

const existingOf = (args: Arguments): Existing => {
  if (args.flag("force") && args.flag("skip-existing")) {
    throw new UsageError("Use either --force or --skip-existing.");
  }
  return args.flag("force") ? "replace" : args.flag("skip-existing") ? "skip" : "fail";
};

/** The work of a command line. */
interface Work {
  readonly tasks: readonly Task[];
  /** ID of the target format. */
  readonly target: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const workOf = async (args: Arguments): Promise<Work> => {
  const target = await targetOf(await serviceFor({ key: "optional" }), args);
  const name = args.text("name") ?? `stdin.${args.text("from")?.replace(/^\./, "") ?? "bin"}`;
  const likely = (labels: readonly string[]) =>
    likelyConversions(
      target,
      labels.map((label) => (label === "-" ? name : label)),
    );
  const merge = args.flag("merge");
  const { inputs } = meaningOf(args, likely(args.words), merge);
  const out = target.output ?? args.text("out");
  const given = target.output === undefined ? inputs : inputsBefore(target.output, inputs, merge);
  const [page, storage] = [args.flag("page"), args.text("storage")];
  const tasks = await planOf(given, { out, merge, page, storage, name, target });
  // The names of the files in folders are known only now.
  const { options } = meaningOf(args, likely(tasks.map(({ label }) => label)), merge);
  return { tasks, target: target.format.id, options };
};

/** @throws UsageError unless the output is the last word, after one input (or several to merge) */
const inputsBefore = (output: string, words: readonly string[], merge: boolean): readonly string[] => {
  const inputs = words.slice(0, -1);
  if (words.at(-1) !== output || (inputs.length > 1 && !merge)) {
    throw new UsageError("Missing target format. Use --to FORMAT for several inputs, or anyform convert INPUT OUTPUT.");
  }
  return inputs;
};

const hasOptions = (options: object): boolean => Object.keys(options).length > 0;

const resumeOf = (upload: string | undefined, { length }: readonly Task[]): string | undefined => {
  if (upload !== undefined && length !== 1) {
    throw new UsageError("--resume requires exactly one input.");
  }
  return upload;
};

const convertAll = async (context: Context, tasks: readonly Task[], limit: number): Promise<Exit> => {
  const { client, target, options } = context;
  const exits = await atOnce(tasks, { limit, signal: options.signal }, (task) =>
    one(context, [task], (settings) => client.convert(task.input, target, settings)),
  );
  return mostSevere(exits);
};

const mergeAll = (context: Context, tasks: readonly Task[]): Promise<Exit> =>
  one(context, tasks, (settings) =>
    context.client.merge(
      tasks.map(({ input }) => input),
      context.target,
      settings,
    ),
  );

/**
 * Converts one input, or merges several, and reports the result. An interruption ends the run; other errors affect only
 * this input.
 */
const one = async (
  context: Context,
  tasks: readonly Task[],
  work: (options: ConvertOptions) => Promise<SavableFile>,
): Promise<Exit> => {
  const { existing, options, report, halt } = context;
  const label = tasks.map((task) => task.label).join(" + ");
  const output = tasks[0]?.output;
  if (halt.by !== undefined) {
    report.failed(label, halt.by.error, true);
    return halt.by.exit;
  }
  try {
    if (output !== undefined && existing !== "replace" && (await exists(output))) {
      if (existing === "skip") {
        report.skipped(label, output);
        return "ok";
      }
      throw outputExists(output);
    }
    const inputBytes = await bytesOf(tasks);
    const file = await work({ ...options, onProgress: (progress) => report.progress(label, progress) });
    await (output === undefined ? toStdout(file) : save(file, output, existing === "replace"));
    report.done(label, { output, file, inputBytes });
    return "ok";
  } catch (error) {
    const exit = exitOf(error);
    if (options.signal?.aborted || exit === undefined) {
      throw error;
    }
    fail(context, label, { exit, error });
    return exit;
  }
};

/** Errors that all further inputs would have, too. */
const HALTING: ReadonlySet<Exit> = new Set(["key", "quota", "unreachable"]);

/** An error that affects all inputs is printed once. */
const fail = ({ report, halt }: Context, label: string, { exit, error }: { exit: Exit; error: unknown }): void => {
  const isHalting = HALTING.has(exit);
  if (isHalting && halt.by?.exit !== exit) {
    halt.by ??= { exit, error };
    report.halted(error);
  }
  report.failed(label, error, isHalting);
};

/** @returns the size of the inputs; undefined if one is not a file */
const bytesOf = async (tasks: readonly Task[]): Promise<number | undefined> => {
  let bytes = 0;
  for (const { input } of tasks) {
    const found = typeof input === "string" ? await stat(input).catch(() => undefined) : undefined;
    if (found === undefined) {
      return undefined;
    }
    bytes += found.size;
  }
  return bytes;
};

/** Writes a result, and the folders of its path. */
export const save = async (file: SavableFile, output: string, overwrite: boolean): Promise<void> => {
  await mkdir(dirname(output), { recursive: true });
  await file.save(output, { overwrite });
};

export const toStdout = async (file: SavableFile): Promise<void> => {
  await pipeline(chunksOf(file.stream()), process.stdout, { end: false });
};
