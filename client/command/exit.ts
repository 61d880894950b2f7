import { AnyformError } from "../http/errors.ts";

/** Exit codes of the command, as listed by `--help`. */
export const exitCodes = {
  ok: { code: 0, text: "success" },
  failed: { code: 1, text: "a conversion failed, or its output already exists" },
  usage: { code: 2, text: "invalid command line, target format or option" },
  key: { code: 3, text: "missing or invalid API key" },
  quota: { code: 4, text: "monthly quota exceeded" },
  unreachable: { code: 5, text: "the service cannot be reached" },
  interrupted: { code: 130, text: "interrupted; running jobs are canceled" },
} as const;

export type Exit = keyof typeof exitCodes;

/** An error in the command line that the user has to correct. */
export class UsageError extends Error {}

/** Thrown when the user interrupts a run. */
export class Interrupted extends Error {
  override readonly message = "Interrupted.";
}

const exitsByCode: Readonly<Record<string, Exit>> = {
  not_reachable: "unreachable",
  quota_exceeded: "quota",
  key_quota_exceeded: "quota",
};

/** @returns the exit for this error; undefined for an internal error */
export const exitOf = (error: unknown): Exit | undefined => {
  if (error instanceof UsageError) {
    return "usage";
  }
  if (error instanceof Interrupted) {
    return "interrupted";
  }
  if (!(error instanceof AnyformError)) {
    // For example a full disk or a folder without write permission.
    return error instanceof Error && "syscall" in error ? "failed" : undefined;
  }
  return error.status === 401 || error.status === 403 ? "key" : (exitsByCode[error.code] ?? "failed");
};

/** Most severe first: errors that affect all inputs take precedence. */
const SEVERITY: readonly Exit[] = ["interrupted", "key", "quota", "unreachable", "usage", "failed", "ok"];

export const mostSevere = (exits: readonly Exit[]): Exit => SEVERITY.find((exit) => exits.includes(exit)) ?? "ok";

/** @returns the error in one line, with the request ID and upload ID, if any */
export const lineOf = (error: unknown): string => {
  if (!(error instanceof AnyformError)) {
    return error instanceof Error ? error.message : String(error);
  }
  const request = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  const resume = error.uploadId === undefined ? "" : ` Resume with --resume ${error.uploadId}.`;
  return `${error.code}: ${error.detail}${request}${resume}`;
};
