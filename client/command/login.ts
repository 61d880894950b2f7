import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { createClient } from "../node.ts";
import { UsageError } from "./exit.ts";
import type { Run } from "./run.ts";
import { askSecret } from "./secret.ts";
import { keepSettings, readSettings } from "./settings.ts";

/** Saves a URL and an API key after checking them with the service. The key is never printed. */
export const login = async ({ args, signal }: Run): Promise<void> => {
  const before = await readSettings();
  const url = args.text("url") ?? (await ask(`Service URL [${before.url}]: `, signal)) ?? before.url;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new UsageError(`Invalid URL "${url}". Example: https://convert.example.org`);
  }
  const apiKey = await keyFrom(args.text("data-dir"), signal);
  const account = await createClient({ baseUrl: url, apiKey }).account();
  const path = await keepSettings({ url, apiKey });
  console.log(`Logged in to ${url} (plan ${account.plan}). Saved to ${path}.`);
};

const keyFrom = async (dataDir: string | undefined, signal: AbortSignal): Promise<string> => {
  const key = dataDir === undefined ? await askSecret("API key: ", signal) : await ownersKey(dataDir);
  if (key === undefined) {
    throw new UsageError("Missing API key.");
  }
  return key;
};

/** The service stores its owner's key in its data directory. */
const ownersKey = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, "api-key");
  const text = await readFile(path, "utf8").catch(() => {
    throw new UsageError(`Cannot read ${path}. Check that --data-dir is the service's DATA_DIR.`);
  });
  return text.trim();
};

/** @returns the answer; undefined if it is empty or standard input is not a terminal */
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
