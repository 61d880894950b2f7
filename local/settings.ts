import { accessSync, constants, mkdirSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";

/** What an operator sets for one machine. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Where clients reach the service, when that is not the host they name: behind a proxy, for example. */
  readonly publicUrl: string | undefined;
  /** Addresses and networks beside the public internet that files are fetched from and webhooks sent to. */
  readonly importAllowed: readonly string[];
  /** What a user's shell puts before a command that has to run where the service does: in a container. */
  readonly shell: string | undefined;
}

/** What an operator has to put right; the message says what. */
export class SettingsError extends Error {}

/** @throws SettingsError for a value that cannot be used */
export const readSettings = (environment: Readonly<Record<string, string | undefined>> = process.env): Settings => {
  const port = Number(environment.PORT || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsError(`PORT is a number from 0 to 65535, not ${environment.PORT}.`);
  }
  return {
    host: environment.HOST || "127.0.0.1",
    port,
    dataDir: resolve(environment.DATA_DIR || ".data"),
    publicUrl: environment.ANYFORM_PUBLIC_URL || undefined,
    importAllowed: networks(environment.ANYFORM_ALLOW_ADDRESSES ?? ""),
    shell: environment.ANYFORM_SHELL || undefined,
  };
};

const networks = (text: string): string[] => {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  const wrong = entries.find((entry) => isIP(entry.split("/")[0] ?? "") === 0);
  if (wrong !== undefined) {
    throw new SettingsError(`ANYFORM_ALLOW_ADDRESSES lists addresses and networks such as 10.1.0.0/16, not ${wrong}.`);
  }
  return entries;
};

/** @throws SettingsError when the folder cannot be made or written */
export const prepareDataDir = ({ dataDir }: Settings): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(
      `DATA_DIR ${dataDir} cannot be used: ${reason}. Set DATA_DIR to a folder that you may write.`,
    );
  }
};
