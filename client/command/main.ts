import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveMcp } from "../mcp/server.ts";
import { showAccount, showKeys, showUsage } from "./account.ts";
import { argumentsOf, refuseOthers } from "./arguments.ts";
import { convert } from "./convert.ts";
import { download } from "./download.ts";
import { type Exit, exitCodes, exitOf, Interrupted, lineOf, UsageError } from "./exit.ts";
import { login } from "./login.ts";
import { pipeline } from "./pipeline.ts";
import { presets } from "./presets.ts";
import { showRequests } from "./requests.ts";
import type { Run } from "./run.ts";
import { showFormats, showJobs, showStatus } from "./show.ts";
import { storages } from "./storages.ts";
import { completion } from "./table/completion.ts";
import { help } from "./table/help.ts";
import { type CommandName, isCommand } from "./table/table.ts";
import { watch } from "./watch/watch.ts";
import { webhooks } from "./webhooks/webhooks.ts";

const done =
  (action: (run: Run) => Promise<unknown>) =>
  async (run: Run): Promise<Exit> => {
    refuseOthers(run.args);
    await action(run);
    return "ok";
  };

const commands: Readonly<Record<CommandName, (run: Run) => Promise<Exit>>> = {
  convert,
  watch,
  formats: done(showFormats),
  status: done(showStatus),
  jobs: done(showJobs),
  download: done(download),
  pipeline: done(pipeline),
  presets,
  storages: done(storages),
  account: done(showAccount),
  usage: done(showUsage),
  requests: done(showRequests),
  keys: done(showKeys),
  webhooks: done(webhooks),
  login: done(login),
  mcp: done(({ args, signal }) => serveMcp({ roots: args.texts("root"), version: version(), signal })),
  completion: done(async ({ args }) => console.log(completion(args.words[0]))),
};

/** Runs a command line. @returns the exit code */
export const main = async (argv: readonly string[]): Promise<number> => {
  leaveQuietly();
  const [first, ...rest] = argv;
  const command = isCommand(first) ? first : undefined;
  if (first === undefined || first === "help" || asks(argv, "--help", "-h")) {
    console.log(help(command));
    return exitCodes[first === undefined ? "usage" : "ok"].code;
  }
  if (first === "--version") {
    console.log(version());
    return exitCodes.ok.code;
  }
  const { signal, release } = interruption();
  try {
    if (command === undefined) {
      throw new UsageError(`Unknown command "${first}". Run \`anyform --help\`.`);
    }
    return exitCodes[await commands[command]({ args: argumentsOf(command, rest), signal })].code;
  } catch (error) {
    return explain(error, signal);
  } finally {
    release();
  }
};

const asks = (argv: readonly string[], ...names: string[]): boolean => {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? undefined : end).some((arg) => names.includes(arg));
};

const explain = (error: unknown, signal: AbortSignal): number => {
  const exit = signal.aborted ? "interrupted" : exitOf(error);
  if (exit === undefined) {
    throw error;
  }
  console.error(`anyform: ${lineOf(signal.aborted ? signal.reason : error)}`);
  return exitCodes[exit].code;
};

/** The first interruption cancels running jobs; the second exits immediately. */
const interruption = (): { signal: AbortSignal; release(): void } => {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) {
      process.exit(exitCodes.interrupted.code);
    }
    controller.abort(new Interrupted());
  };
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) {
    process.on(name, stop);
  }
  const release = (): void => {
    for (const name of names) {
      process.off(name, stop);
    }
  };
  return { signal: controller.signal, release };
};

/** The reader of standard output may close it early, as `head` does. */
const leaveQuietly = (): void => {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      throw error;
    }
    process.exit(exitCodes.ok.code);
  });
};

const version = (): string => {
  const { version: text } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
  return String(text);
};
