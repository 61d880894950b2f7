import { JobError, RequestError } from "./domain/errors.ts";

/** The logged part of an error. */
export interface LoggedError {
  readonly name: string;
  /** From the error table, or a system error code. */
  readonly code?: string;
  readonly message?: string;
  /** Code locations, innermost first. */
  readonly at?: readonly string[];
  readonly cause?: LoggedError;
}

/** Maximum depth of logged causes; a library can create a cycle. */
const CAUSES_MAX = 4;

/**
 * Error messages quote client data: parsers quote text, engines filenames, sockets host names, disks paths. Errors of
 * the error table are meant for the client and quote, too: of those, only the code and the code locations are logged.
 * Of other errors of this process the message is logged as well, without quoted text and anything like an address, path
 * or secret.
 */
export const loggedError = (error: unknown, depth = 0): LoggedError => {
  if (!(error instanceof Error)) {
    // The output of a converter process, which contains untrusted text.
    return { name: "EngineOutput", ...framesIn(String(error)) };
  }
  const code = codeOf(error);
  const message = messageOf(error);
  return {
    name: known(error.name) ?? "Error",
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...framesIn(error.stack ?? ""),
    ...(error.cause !== undefined && depth < CAUSES_MAX && { cause: loggedError(error.cause, depth + 1) }),
  };
};

/** @returns the word if it is an identifier */
const known = (word: unknown): string | undefined =>
  typeof word === "string" && /^\w{1,60}$/.test(word) ? word : undefined;

const codeOf = (error: Error): string | undefined => ("code" in error ? known(error.code) : undefined);

const messageOf = (error: Error): string | undefined => {
  if (error instanceof JobError || error instanceof RequestError || error instanceof SyntaxError || "host" in error) {
    return undefined;
  }
  // The message of a failed system call contains its code, the call, and its arguments.
  return "syscall" in error ? `${known(error.syscall) ?? "A call"} failed` : cleaned(error.message);
};

const MESSAGE_CHARACTERS_MAX = 300;

/** Maximum length of an inspected message: the patterns take quadratic time, and stack space for long words. */
const LOOKED_CHARACTERS_MAX = 1_000;

const cleaned = (message: string): string =>
  beginningOf(withoutQuotation(message))
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S*/gi, "…")
    .replace(/\S+@\S+/g, "…")
    .replace(/(?<![\w:])(?:\/|[a-z]:\\)\S+/gi, "…")
    .replace(/\b(?:af|dl|whsec)_\S+/g, "…")
    .replace(/[\w+=-]{40,}/g, "…")
    .replace(/\p{C}/gu, " ")
    .slice(0, MESSAGE_CHARACTERS_MAX);

/**
 * Removes everything from the first quotation mark to the last: quoted text can contain marks, and can be an entire
 * file.
 */
const withoutQuotation = (message: string): string => {
  const first = message.search(/["'`]/);
  const last = Math.max(...['"', "'", "`"].map((mark) => message.lastIndexOf(mark)));
  return first < last ? `${message.slice(0, first)}…${message.slice(last + 1)}` : message;
};

/** Cuts at word boundaries: a truncated address could not be detected. */
const beginningOf = (message: string): string =>
  message.length <= LOOKED_CHARACTERS_MAX
    ? message
    : `${/^.*\s/s.exec(message.slice(0, LOOKED_CHARACTERS_MAX))?.[0] ?? ""}…`;

const FRAMES_MAX = 12;

/** A line of a stack trace: a function and a code location. */
const FRAME =
  /^ {4}at (?:(?:async )?[\w.<>$#[\] ]{1,100} \()?((?:file:\/\/\/|node:|\/)[\w@.+/-]{1,300}):(\d{1,7}):\d{1,7}\)?$/;

const framesIn = (stack: string): Pick<LoggedError, "at"> => {
  const frames = stack.split("\n").flatMap((line) => {
    const [, file, row] = FRAME.exec(line) ?? [];
    return file === undefined ? [] : [`${file.replace("file://", "")}:${row}`];
  });
  return frames.length === 0 ? {} : { at: frames.slice(0, FRAMES_MAX) };
};
