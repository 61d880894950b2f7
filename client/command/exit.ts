import { AnyformError } from "../errors.ts";

/** How the command ends; each way has its code, and `--help` lists them. */
export const exitCodes = {
  ok: { code: 0, text: "all is done" },
  failed: { code: 1, text: "a conversion failed, or its output is there already" },
  usage: { code: 2, text: "the command line, the target or an option is not right" },
  key: { code: 3, text: "the API key is missing or refused" },
  quota: { code: 4, text: "the quota of the month is used up" },
  unreachable: { code: 5, text: "the service was not reached" },
  interrupted: { code: 130, text: "interrupted; running jobs are cancelled" },
} as const;

export type Exit = keyof typeof exitCodes;

/** What the user has to write otherwise. */
export class UsageError extends Error {}

/** Thrown inside a run that the user has interrupted. */
export class Interrupted extends Error {
  override readonly message = "Interrupted.";
}

const exitsByCode: Readonly<Record<string, Exit>> = {
  not_reachable: "unreachable",
  quota_exceeded: "quota",
};

/** @returns how the command ends after this error; undefined for one that is a mistake of ours */
export const exitOf = (error: unknown): Exit | undefined => {
  if (error instanceof UsageError) {
    return "usage";
  }
  if (error instanceof Interrupted) {
    return "interrupted";
  }
  if (!(error instanceof AnyformError)) {
    // A full disk, or a folder that may not be written.
    return error instanceof Error && "syscall" in error ? "failed" : undefined;
  }
  return error.status === 401 || error.status === 403 ? "key" : (exitsByCode[error.code] ?? "failed");
};

/** The gravest first: what stops all the others is what the user should hear of. */
const GRAVITY: readonly Exit[] = ["interrupted", "key", "quota", "unreachable", "usage", "failed", "ok"];

export const gravest = (exits: readonly Exit[]): Exit => GRAVITY.find((exit) => exits.includes(exit)) ?? "ok";

/** @returns the error in one line, with what helps to find out more */
export const lineOf = (error: unknown): string => {
  if (!(error instanceof AnyformError)) {
    return error instanceof Error ? error.message : String(error);
  }
  const request = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  const resume = error.uploadId === undefined ? "" : ` Go on with --resume ${error.uploadId}.`;
  return `${error.code}: ${error.detail}${request}${resume}`;
};
