import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { OperatorReply, OperatorRequest } from "./operator-process.ts";

/** An operator of a running service, with access to its tables. */
export interface Operator {
  /** @returns the output of an account command (`npm run accounts`) */
  accounts<Result>(args: readonly string[]): Promise<Result>;
  /** @returns the headers that the pages of a browser send after the sign-in, over http or https like the service's URL */
  signIn(accountId: string, url: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts an operator's process. `env` names the tables, like the environment of the service. */
export const startOperator = (tables: "aws" | "local", env: Readonly<Record<string, string>>): Operator => {
  const child = fork(join(import.meta.dirname, "operator-process.ts"), [tables], {
    execArgv: ["--conditions=anyform-local"],
    env: { ...process.env, ...env },
  });
  const waiting = new Map<number, (message: OperatorReply) => void>();
  let last = 0;
  child.on("message", (message: OperatorReply) => {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  child.once("exit", (code) => {
    for (const [id, end] of waiting) {
      end({ id, error: `The operator's process ended with exit code ${code}.` });
    }
  });
  const ask = async <Result>(task: OperatorRequest["task"]): Promise<Result> => {
    last += 1;
    const id = last;
    const message = await new Promise<OperatorReply>((resolve) => {
      waiting.set(id, resolve);
      child.send({ id, task } satisfies OperatorRequest);
    });
    if (message.error !== undefined) {
      throw new Error(message.error);
    }
    return message.output as Result;
  };
  return {
    accounts: (args) => ask({ args }),
    signIn: async (accountId, url) => {
      const { cookie = "", ...headers } = await ask<Record<string, string>>({ signIn: accountId });
      return { ...headers, cookie: url.startsWith("http:") ? cookie.replace("__Host-", "") : cookie };
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, "exit");
        child.disconnect();
        await exit;
      }
    },
  };
};
