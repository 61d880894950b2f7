import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { AnyformError } from "../errors.ts";
import { type Anyform, createClient } from "../node.ts";

/** URL of the service and the API key. */
export interface Settings {
  readonly url: string;
  readonly apiKey: string | undefined;
}

/** The address that `npm start` listens on. */
const URL_DEFAULT = "http://127.0.0.1:8080";

/** @returns the path of the settings saved by `login` (XDG Base Directory Specification) */
export const settingsPath = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "anyform", "settings.json");

/**
 * Environment variables override the settings saved by `login`. A saved key is only sent to the URL that it was saved
 * with.
 */
export const readSettings = async (): Promise<Settings> => {
  const kept = await readKept();
  const url = process.env.ANYFORM_URL || kept.url || URL_DEFAULT;
  return { url, apiKey: process.env.ANYFORM_API_KEY || (kept.url === url ? kept.apiKey : undefined) };
};

/** @throws AnyformError if a key is required and missing */
export const clientFor = async ({ key }: { readonly key: "required" | "optional" }): Promise<Anyform> => {
  const { url, apiKey } = await readSettings();
  if (!URL.canParse(url)) {
    throw new AnyformError({
      code: "not_reachable",
      detail: `Invalid service URL "${url}". Set ANYFORM_URL or run \`anyform login\`.`,
    });
  }
  if (apiKey === undefined && key === "required") {
    const detail = `No API key for ${url}. Run \`anyform login\` or set ANYFORM_API_KEY.`;
    throw new AnyformError({ code: "missing_api_key", detail, status: 401 });
  }
  return createClient({ baseUrl: url, apiKey });
};

/** Saves the settings in a file that only its owner can read. */
export const keepSettings = async ({ url, apiKey }: Settings): Promise<string> => {
  const path = settingsPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(part, `${JSON.stringify({ url, api_key: apiKey }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(part, path);
  return path;
};

const readKept = async (): Promise<Partial<Settings>> => {
  const text = await readFile(settingsPath(), "utf8").catch(() => "{}");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "url" in value && "api_key" in value) {
      return { url: String(value.url), apiKey: String(value.api_key) };
    }
  } catch {
    // A corrupt file counts as missing: `login` rewrites it.
  }
  return {};
};
