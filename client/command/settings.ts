import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { AnyformError } from "../errors.ts";
import { type Anyform, createClient } from "../node.ts";

/** Where the service is and which key it is given. */
export interface Settings {
  readonly url: string;
  readonly apiKey: string | undefined;
}

/** Where `npm start` listens. */
const URL_DEFAULT = "http://127.0.0.1:8080";

/** @returns where `login` keeps what it was told (XDG Base Directory Specification) */
export const settingsPath = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "anyform", "settings.json");

/**
 * The environment wins over what `login` kept. A kept key belongs to the address that it was kept with: it is sent
 * nowhere else.
 */
export const readSettings = async (): Promise<Settings> => {
  const kept = await readKept();
  const url = process.env.ANYFORM_URL || kept.url || URL_DEFAULT;
  return { url, apiKey: process.env.ANYFORM_API_KEY || (kept.url === url ? kept.apiKey : undefined) };
};

/** @throws AnyformError for a key that is needed and missing */
export const clientFor = async ({ key }: { readonly key: "needed" | "optional" }): Promise<Anyform> => {
  const { url, apiKey } = await readSettings();
  if (!URL.canParse(url)) {
    throw new AnyformError({ code: "not_reachable", detail: `${url} is no address. Set ANYFORM_URL, or log in anew.` });
  }
  if (apiKey === undefined && key === "needed") {
    const detail = `There is no API key for ${url}. Run \`anyform login\`, or set ANYFORM_API_KEY.`;
    throw new AnyformError({ code: "missing_api_key", detail, status: 401 });
  }
  return createClient({ baseUrl: url, apiKey });
};

/** Keeps them in a file that its owner alone can read. */
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
    // A broken file is as good as none: `login` writes it anew.
  }
  return {};
};
