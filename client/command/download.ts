import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { SavableFile } from "../node.ts";
import { save, toStdout } from "./convert.ts";
import { UsageError } from "./exit.ts";
import { reportTo } from "./report.ts";
import type { Run } from "./run.ts";
import { clientFor } from "./settings.ts";

/** Saves the result of a job, once it has ended. */
export const download = async ({ args, signal }: Run): Promise<void> => {
  const [id, ...more] = args.words;
  if (id === undefined || more.length > 0) {
    throw new UsageError("Missing job ID. Use `anyform download JOB`.");
  }
  const client = await clientFor({ key: "required" });
  const out = args.text("out");
  const [json, quiet] = [args.flag("json"), args.flag("quiet")];
  const report = reportTo({ total: 1, json, quiet, toStdout: out === "-", summary: false });
  try {
    const file = await client.wait(id, { signal, onProgress: (progress) => report.progress(id, progress) });
    const output = out === "-" ? undefined : await pathOf(file, out);
    await (output === undefined ? toStdout(file) : save(file, output, args.flag("force")));
    report.done(id, { output, file, inputBytes: undefined });
  } finally {
    report.end();
  }
};

/** The name is from the service, so its folders are ignored. */
const pathOf = async ({ name }: SavableFile, out = "./"): Promise<string> => {
  const isFolder = /[\\/]$/.test(out) || ((await stat(out).catch(() => undefined))?.isDirectory() ?? false);
  return isFolder ? join(out, basename(name)) : out;
};
