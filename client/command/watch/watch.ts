import { watch as watchFolder } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Anyform, ConvertOptions } from "../../node.ts";
import { type Arguments, intervalOf } from "../arguments.ts";
import { type Backoff, backoff, isTemporary, pauseFor } from "../backoff.ts";
import { jobsOf, save } from "../convert.ts";
import { type Exit, exitOf, UsageError } from "../exit.ts";
import { meaningOf } from "../options.ts";
import { type Report, reportTo } from "../report.ts";
import type { Run } from "../run.ts";
import { clientFor, serviceFor } from "../settings.ts";
import { targetNamed } from "../target.ts";
import { type WatchedFile, type WatchedFiles, watchedFiles } from "./watched-files.ts";

/** Shortest time between two scans, in milliseconds, when the file system reports changes. */
const RESCAN_MS_MIN = 250;

/** Converts the files of a folder until it is interrupted. Files in progress are finished first. */
export const watch = async ({ args, signal }: Run): Promise<Exit> => {
  const limit = jobsOf(args);
  const interval = intervalOf(args);
  const { folder, files, target, options } = await watchOf(args, interval);
  const [json, quiet] = [args.flag("json"), args.flag("quiet")];
  const report = reportTo({ total: undefined, json, quiet, toStdout: false, summary: true });
  const client = await clientFor({ key: "required" });
  const pause = backoff(report.note);
  const context: Context = { client, folder, target, options, files, report, pause, running: new Map(), end: {} };
  const changes = changesIn(folder);
  try {
    while (!signal.aborted && context.end.by === undefined) {
      await startDue(context, limit);
      await nextScan(context, { limit, interval, signal, changes });
    }
    if (context.running.size > 0) {
      report.note(`Finishing ${[...context.running.keys()].join(", ")}. Press Ctrl-C again to end immediately.`);
    }
    await Promise.all(context.running.values());
  } finally {
    changes.close();
    report.end();
  }
  if (context.end.by !== undefined) {
    throw context.end.by;
  }
  return "ok";
};

interface Context {
  readonly client: Anyform;
  readonly folder: string;
  readonly target: string;
  readonly options: ConvertOptions;
  readonly files: WatchedFiles;
  readonly report: Report;
  readonly pause: Backoff;
  readonly running: Map<string, Promise<void>>;
  /** The error that ends the command. */
  readonly end: { by?: unknown };
}

const watchOf = async (args: Arguments, settleMs: number) => {
  const to = args.text("to");
  if (to === undefined) {
    throw new UsageError("Missing target format. Use --to FORMAT.");
  }
  const target = await targetNamed(await serviceFor({ key: "optional" }), to);
  const { inputs, options } = meaningOf(args, target.conversions);
  const [folder, ...more] = inputs;
  if (
    folder === undefined ||
    more.length > 0 ||
    !((await stat(folder).catch(() => undefined))?.isDirectory() ?? false)
  ) {
    throw new UsageError("Specify one existing folder: anyform watch FOLDER --to FORMAT.");
  }
  const out = args.text("out") ?? folder;
  const files = watchedFiles({ folder, out, target, settleMs, force: args.flag("force") });
  return { folder, files, target: target.format.id, options: Object.keys(options).length > 0 ? { options } : {} };
};

/** Starts as many conversions as are allowed at once. The others are found again by the next scan. */
const startDue = async (context: Context, limit: number): Promise<void> => {
  const { files, running, pause } = context;
  if (running.size >= limit || pause.remaining() > 0) {
    return;
  }
  for (const file of (await files.scan(Date.now())).slice(0, limit - running.size)) {
    files.begin(file);
    const work = convertOne(context, file).finally(() => running.delete(file.path));
    running.set(file.path, work);
  }
};

const convertOne = async (context: Context, file: WatchedFile): Promise<void> => {
  const { client, folder, target, options, files, report, pause } = context;
  const path = join(folder, file.path);
  try {
    const onProgress: ConvertOptions["onProgress"] = (progress) => report.progress(path, progress);
    const result = await client.convert(path, target, { ...options, onProgress });
    await save(result, file.output, file.replaces);
    pause.succeeded();
    files.end(file, "converted");
    report.done(path, { output: file.output, file: result, inputBytes: file.bytes });
  } catch (error) {
    const exit = exitOf(error);
    if (exit === undefined || exit === "key") {
      context.end.by ??= error;
    }
    if (isTemporary(error)) {
      report.stopped(path);
      pause.failed(error);
      files.end(file, "postponed");
      return;
    }
    files.end(file, "failed");
    report.failed(path, error, exit === "key");
  }
};

interface Waiting {
  readonly limit: number;
  readonly interval: number;
  readonly signal: AbortSignal;
  readonly changes: Changes;
}

/** Waits for the next scan: until the interval is over, a file changes, a conversion ends, or an interruption. */
const nextScan = async ({ running, pause }: Context, { limit, interval, signal, changes }: Waiting): Promise<void> => {
  await pauseFor(Math.min(interval, RESCAN_MS_MIN), signal);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const rest = Math.max(interval - RESCAN_MS_MIN, pause.remaining(), 0);
  const ended = running.size >= limit ? [Promise.race(running.values())] : [];
  await Promise.race([pauseFor(rest, either), changes.next(), ...ended]);
  stop.abort();
};

/** Changes that the file system reports. They only make the next scan earlier: some file systems report none. */
interface Changes {
  next(): Promise<void>;
  close(): void;
}

const changesIn = (folder: string): Changes => {
  let wake: () => void = () => undefined;
  const watcher = open(folder, () => wake());
  return {
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    close: () => watcher?.close(),
  };
};

const open = (folder: string, onChange: () => void): ReturnType<typeof watchFolder> | undefined => {
  try {
    const watcher = watchFolder(folder, { recursive: true, persistent: false }, onChange);
    // For example when the limit of watched folders is reached. The scans go on.
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
};
