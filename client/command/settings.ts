import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { AnyformError } from "../http/errors.ts";
import { type ClientSettings, type Service, serviceAt } from "../http/request.ts";
import { type Anyform, createClient } from "../node.ts";
import { UsageError } from "./exit.ts";
import type { Screen } from "./progress-bar.ts";

/** URL of the service and the API key. */
export interface Settings {
  readonly url: string;
  readonly apiKey: string | undefined;
}

export interface FoundSettings extends Settings {
  /** Where the key is from. */
  readonly source: "environment" | "file";
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
export const readSettings = async (): Promise<FoundSettings> => {
  const kept = await readKept();
  const url = process.env.ANYFORM_URL || kept.url || URL_DEFAULT;
  const given = process.env.ANYFORM_API_KEY || undefined;
  return given === undefined
    ? { url, apiKey: kept.url === url ? kept.apiKey : undefined, source: "file" }
    : { url, apiKey: given, source: "environment" };
};

/** Only these variables can be sent to a storage: models choose the name of the variable and the URL of the storage. */
export const STORAGE_SECRET_PREFIX = "ANYFORM_STORAGE_";

/** @returns the secret of a storage in an environment variable; undefined if it is not set, or has another prefix */
export const storageSecret = (variable: string): string | undefined =>
  variable.startsWith(STORAGE_SECRET_PREFIX) ? process.env[variable] || undefined : undefined;

/** @throws AnyformError if a key is required and missing */
export const clientFor = async (needs: Needs): Promise<Anyform> => createClient(await connectionFor(needs));

/** @returns the HTTP interface, for operations that the client has no method for @throws AnyformError */
export const serviceFor = async (needs: Needs): Promise<Service> => serviceAt(await connectionFor(needs));

interface Needs {
  readonly key: "required" | "optional";
}

const connectionFor = async ({ key }: Needs): Promise<ClientSettings> => {
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
  return { baseUrl: url, apiKey, attempts: attemptsMax() };
};

/** The largest number of repetitions: more would wait for longer than anyone does. */
const RETRIES_MAX = 100;

/** @returns attempts per request; undefined for the default @throws UsageError */
const attemptsMax = (): number | undefined => {
  const text = process.env.ANYFORM_RETRIES || undefined;
  const retries = Number(text ?? 0);
  if (!Number.isInteger(retries) || retries < 0 || retries > RETRIES_MAX) {
    throw new UsageError(`Invalid ANYFORM_RETRIES "${text}": must be an integer from 0 to ${RETRIES_MAX}.`);
  }
  return text === undefined ? undefined : retries + 1;
};

/**
 * @returns the terminal for a progress bar; undefined for a file or pipe, in continuous integration (`CI`), and for a
 * terminal that cannot move its cursor
 */
export const screenOf = (stream: NodeJS.WriteStream): Screen | undefined => {
  const { CI, NO_COLOR, TERM } = process.env;
  if (!stream.isTTY || TERM === "dumb" || (CI !== undefined && CI !== "" && CI !== "false")) {
    return undefined;
  }
  return { isColored: !NO_COLOR, columns: () => stream.columns, write: (text) => void stream.write(text) };
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
