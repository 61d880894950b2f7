import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { createClient } from "../node.ts";
import { UsageError } from "./exit.ts";
import type { Run } from "./run.ts";
import { keepSettings, readSettings } from "./settings.ts";

/** Keeps an address and a key, once the service has taken them. The key is read, and never printed. */
export const login = async ({ args, signal }: Run): Promise<void> => {
  const before = await readSettings();
  const url = args.text("url") ?? (await ask(`Address of the service [${before.url}]: `, signal)) ?? before.url;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new UsageError(`${url} is no address. Say for example https://convert.example.org.`);
  }
  const apiKey = await keyFrom(args.text("data-dir"), signal);
  const account = await createClient({ baseUrl: url, apiKey }).account();
  const path = await keepSettings({ url, apiKey });
  console.log(`Logged in to ${url} (plan ${account.plan}); kept in ${path}.`);
};

const keyFrom = async (dataDir: string | undefined, signal: AbortSignal): Promise<string> => {
  const key = dataDir === undefined ? await askSecret("API key: ", signal) : await ownersKey(dataDir);
  if (key === undefined) {
    throw new UsageError("No API key was given.");
  }
  return key;
};

/** The service keeps its owner's key in the folder of its data. */
const ownersKey = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, "api-key");
  const text = await readFile(path, "utf8").catch(() => {
    throw new UsageError(`${path} cannot be read. Is that the service's DATA_DIR?`);
  });
  return text.trim();
};

/** @returns what was answered; undefined for nothing, and where there is nobody to ask */
const ask = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
  if (!process.stdin.isTTY) {
    return undefined;
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question, { signal })).trim() || undefined;
  } finally {
    lines.close();
  }
};

/** From a terminal it is read unseen, from a pipe it is the first line. */
const askSecret = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
  const isTerminal = process.stdin.isTTY === true;
  const unseen = new Writable({ write: (_chunk, _encoding, written) => written() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isTerminal });
  try {
    if (!isTerminal) {
      const { value } = await lines[Symbol.asyncIterator]().next();
      return typeof value === "string" ? value.trim() || undefined : undefined;
    }
    process.stderr.write(question);
    const answer = await lines.question("", { signal });
    process.stderr.write("\n");
    return answer.trim() || undefined;
  } finally {
    lines.close();
  }
};
