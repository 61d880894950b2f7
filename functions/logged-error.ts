import { JobError, RequestError } from "./domain/errors.ts";

/** What the log gets to know of an error. */
export interface LoggedError {
  readonly name: string;
  /** Of the table of errors, or of the system. */
  readonly code?: string;
  readonly message?: string;
  /** Places in the code, the innermost first. */
  readonly at?: readonly string[];
  readonly cause?: LoggedError;
}

/** Errors below an error that are looked at; a library may make a ring of them. */
const CAUSES_MAX = 4;

/**
 * Errors quote: a parser the text that it could not read, an engine the file and its name, a socket the host that a client
 * named, a disk the path. What our own table says is for the client and quotes, too. So of those the log gets the code and
 * the places in the code; of other errors of this process the message as well, without what stands in quotation marks, and
 * without all that looks like an address, a path or a secret.
 */
export const loggedError = (error: unknown, depth = 0): LoggedError => {
  if (!(error instanceof Error)) {
    // What a converter process said of an error, or wrote as it crashed: a stranger's words stand in it.
    return { name: "EngineOutput", ...placesIn(String(error)) };
  }
  const code = codeOf(error);
  const message = messageOf(error);
  return {
    name: known(error.name) ?? "Error",
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...placesIn(error.stack ?? ""),
    ...(error.cause !== undefined && depth < CAUSES_MAX && { cause: loggedError(error.cause, depth + 1) }),
  };
};

/** @returns a word that only a program would use: letters, digits and few signs */
const known = (word: unknown): string | undefined =>
  typeof word === "string" && /^\w{1,60}$/.test(word) ? word : undefined;

const codeOf = (error: Error): string | undefined => ("code" in error ? known(error.code) : undefined);

const messageOf = (error: Error): string | undefined => {
  if (error instanceof JobError || error instanceof RequestError || error instanceof SyntaxError || "host" in error) {
    return undefined;
  }
  // The message of a failed call to the system is its code, what was called, and what it was called with.
  return "syscall" in error ? `${known(error.syscall) ?? "A call"} failed` : cleaned(error.message);
};

const MESSAGE_CHARACTERS_MAX = 300;

/** Characters of a message that are looked at: patterns take time with the square of them, and the stack for long words. */
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

/** From the first mark to the last: what is quoted may hold marks itself, and may be a whole file. */
const withoutQuotation = (message: string): string => {
  const first = message.search(/["'`]/);
  const last = Math.max(...['"', "'", "`"].map((mark) => message.lastIndexOf(mark)));
  return first < last ? `${message.slice(0, first)}…${message.slice(last + 1)}` : message;
};

/** Whole words only: of half an address nobody can tell that it is one. */
const beginningOf = (message: string): string =>
  message.length <= LOOKED_CHARACTERS_MAX
    ? message
    : `${/^.*\s/s.exec(message.slice(0, LOOKED_CHARACTERS_MAX))?.[0] ?? ""}…`;

const PLACES_MAX = 12;

/** A line of a stack trace: a function of ours or of a library, and a place in a file of code. */
const PLACE =
  /^ {4}at (?:(?:async )?[\w.<>$#[\] ]{1,100} \()?((?:file:\/\/\/|node:|\/)[\w@.+/-]{1,300}):(\d{1,7}):\d{1,7}\)?$/;

const placesIn = (stack: string): Pick<LoggedError, "at"> => {
  const places = stack.split("\n").flatMap((line) => {
    const [, file, row] = PLACE.exec(line) ?? [];
    return file === undefined ? [] : [`${file.replace("file://", "")}:${row}`];
  });
  return places.length === 0 ? {} : { at: places.slice(0, PLACES_MAX) };
};
