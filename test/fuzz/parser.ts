import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import { requestErrors } from "../../functions/domain/errors/request-errors.ts";
import { JobError, RequestError } from "../../functions/domain/errors.ts";
import type { Random } from "../support/random.ts";

/** One of our parsers that reads untrusted bytes, and its guarantees for any input. */
export interface Parser {
  readonly name: string;
  /** Files and folders below `functions/` and `local/` whose code should be reached. */
  readonly sources: readonly string[];
  /** Initial inputs: complete ones, so that mutations reach far. */
  readonly samples: () => readonly (string | Buffer)[] | Promise<readonly Buffer[]>;
  /** Tokens of its grammar, to be inserted anywhere. */
  readonly words: readonly string[];
  /** How a valid input is mutated. @default as bytes and as text */
  readonly change?: (input: Buffer, random: Random, others: readonly Buffer[]) => Buffer;
  /**
   * Reads the input and checks the guarantees.
   *
   * @throws JobError, RequestError that blame the input; anything else is our fault
   */
  readonly hold: (input: Buffer, workspace: Workspace) => void | Promise<void>;
}

/** A folder for parsers that read files. */
export interface Workspace {
  /** @returns the path of a file with these bytes */
  file(bytes: Uint8Array): string;
  /** @returns a path where no file exists */
  fresh(): string;
  /** @returns an empty folder */
  folder(): string;
  /** Removes everything that was created since the last call. */
  tidy(): void;
}

/** Maximum bytes of an input: quadratic time shows at this size, and thousands of inputs per minute are possible. */
export const INPUT_BYTES_MAX = 65_536;

export const newWorkspace = (): Workspace & { readonly erase: () => void } => {
  const root = mkdtempSync(join(tmpdir(), "anyform-fuzz-"));
  let count = 0;
  const fresh = (): string => {
    count += 1;
    return join(root, String(count));
  };
  return {
    fresh,
    file: (bytes) => {
      const path = fresh();
      writeFileSync(path, bytes);
      return path;
    },
    folder: () => {
      const path = fresh();
      mkdirSync(path);
      return path;
    },
    tidy: () => {
      for (; count > 0; count -= 1) {
        rmSync(join(root, String(count)), { recursive: true, force: true });
      }
    },
    erase: () => rmSync(root, { recursive: true, force: true }),
  };
};

/** @returns whether the error blames the input, as it should for invalid bytes */
export const isRefusal = (error: unknown): boolean =>
  (error instanceof JobError && jobErrors[error.code].fault === "input") ||
  (error instanceof RequestError && requestErrors[error.code].status < 500);

/** @returns the result; undefined if the input is rejected and more checks follow */
export const refusing = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch (error) {
    return refused(error);
  }
};

/** Accepts a rejection as a result. @throws all other errors */
export const refused = (error: unknown): undefined => {
  if (!isRefusal(error)) {
    throw error;
  }
  return undefined;
};

/**
 * Runs a parser on an input.
 *
 * @returns what failed, with the first stack frame in our code; undefined if all guarantees are kept
 */
export const faultOf = async (parser: Parser, input: Buffer, workspace: Workspace): Promise<string | undefined> => {
  try {
    await parser.hold(input, workspace);
    return undefined;
  } catch (error) {
    return isRefusal(error) ? undefined : describeError(error);
  } finally {
    workspace.tidy();
  }
};

const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) {
    return `threw ${String(error)}`;
  }
  const frame = error.stack?.split("\n").find((line) => /\/(?:functions|local)\//.test(line)) ?? "";
  return `${error.name}: ${error.message.slice(0, 300)} ${frame.replace(/^.*\/((?:functions|local)\/[^)]*)\)?$/, "at $1")}`;
};

/** A violated guarantee. */
export const broken = (promise: string, shown: unknown): Error =>
  new Error(`${promise}: ${JSON.stringify(shown)?.slice(0, 400)}`);
