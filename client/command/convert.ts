import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { atOnce } from "../at-once.ts";
import { AnyformError } from "../errors.ts";
import { chunksOf } from "../input.ts";
import type { Anyform, ConvertOptions, FormatList, SavableFile } from "../node.ts";
import { exists, outputExists } from "../node-save.ts";
import { countOf } from "./arguments.ts";
import { type Exit, exitOf, mostSevere, UsageError } from "./exit.ts";
import { meaningOf } from "./options.ts";
import { conversionsFor, planOf, type Task } from "./plan.ts";
import { type Report, reportTo } from "./report.ts";
import type { Run } from "./run.ts";
import { clientFor } from "./settings.ts";

const JOBS_DEFAULT = 4;
const JOBS_MAX = 32;

/** Converts the inputs of the command line. Detectable errors are reported before anything is sent. */
export const convert = async ({ args, signal }: Run): Promise<Exit> => {
  const target = args.text("to");
  if (target === undefined) {
    throw new UsageError("Missing target format. Use --to FORMAT.");
  }
  const limit = countOf("jobs", args.text("jobs"), { max: JOBS_MAX, start: JOBS_DEFAULT });
  const client = await clientFor({ key: "required" });
  const name = args.text("name") ?? `stdin.${args.text("from")?.replace(/^\./, "") ?? "bin"}`;
  const names = args.words.map((word) => (word === "-" ? name : word));
  const { extension, conversions } = conversionsFor(await formatsInto(client, target), names);
  const { inputs, options } = meaningOf(args, conversions);
  const merge = args.flag("merge");
  const tasks = await planOf(inputs, { out: args.text("out"), merge, name, extension });
  const context: Context = {
    client,
    target,
    force: args.flag("force"),
    options: {
      signal,
      resume: resumeOf(args.text("resume"), tasks),
      ...(Object.keys(options).length > 0 && { options }),
    },
    report: reportTo({
      total: merge ? 1 : tasks.length,
      json: args.flag("json"),
      quiet: args.flag("quiet"),
      toStdout: tasks[0]?.output === undefined,
    }),
  };
  try {
    if (merge) {
      return await one(context, { ...first(tasks), label: inputs.join(" + ") }, (settings) =>
        client.merge(
          tasks.map(({ input }) => input),
          target,
          settings,
        ),
      );
    }
    const exits = await atOnce(tasks, { limit, signal }, (task) =>
      one(context, task, (settings) => client.convert(task.input, target, settings)),
    );
    return mostSevere(exits);
  } finally {
    context.report.end();
  }
};

interface Context {
  readonly client: Anyform;
  readonly target: string;
  readonly force: boolean;
  readonly options: ConvertOptions;
  readonly report: Report;
}

const formatsInto = async (client: Anyform, target: string): Promise<FormatList> => {
  try {
    return await client.formats({ target, conversions: true });
  } catch (error) {
    if (error instanceof AnyformError && error.status === 400) {
      throw new UsageError(`${error.detail} Run \`anyform formats\` to list the supported formats.`);
    }
    throw error;
  }
};

const first = (tasks: readonly Task[]): Task => {
  const [task] = tasks;
  if (task === undefined) {
    throw new UsageError("Missing input.");
  }
  return task;
};

const resumeOf = (upload: string | undefined, { length }: readonly Task[]): string | undefined => {
  if (upload !== undefined && length !== 1) {
    throw new UsageError("--resume requires exactly one input.");
  }
  return upload;
};

/** Converts one input and reports the result. An interruption ends the run; other errors affect only this input. */
const one = async (
  { force, options, report }: Context,
  { label, output }: Task,
  work: (options: ConvertOptions) => Promise<SavableFile>,
): Promise<Exit> => {
  try {
    if (output !== undefined && !force && (await exists(output))) {
      throw outputExists(output);
    }
    const file = await work({ ...options, onProgress: (progress) => report.progress(label, progress) });
    await (output === undefined ? toStdout(file) : save(file, output, force));
    report.done(label, output, file);
    return "ok";
  } catch (error) {
    const exit = exitOf(error);
    if (options.signal?.aborted || exit === undefined) {
      throw error;
    }
    report.failed(label, error);
    return exit;
  }
};

const save = async (file: SavableFile, output: string, overwrite: boolean): Promise<void> => {
  await mkdir(dirname(output), { recursive: true });
  await file.save(output, { overwrite });
};

const toStdout = async (file: SavableFile): Promise<void> => {
  await pipeline(chunksOf(file.stream()), process.stdout, { end: false });
};
