import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobError, jobErrors, RequestError, requestErrors } from "../../functions/domain/errors.ts";
import type { Random } from "../support/random.ts";

/** A parser of ours that strangers' bytes reach, and what it promises of any bytes whatever. */
export interface Parser {
  readonly name: string;
  /** Files and folders below `functions/` and `local/` whose code is to be reached. */
  readonly sources: readonly string[];
  /** Inputs to begin with: whole ones, so that changes reach far. */
  readonly samples: () => readonly (string | Buffer)[] | Promise<readonly Buffer[]>;
  /** What its grammar is made of, to be put in anywhere. */
  readonly words: readonly string[];
  /** How a good input is changed. @default as bytes and as text */
  readonly change?: (input: Buffer, random: Random, others: readonly Buffer[]) => Buffer;
  /**
   * Reads the input and checks what is promised.
   *
   * @throws JobError, RequestError that blame the input; anything else is a fault of ours
   */
  readonly hold: (input: Buffer, place: Place) => void | Promise<void>;
}

/** Where a parser that reads files finds its input. */
export interface Place {
  /** @returns the path of a file with these bytes */
  file(bytes: Uint8Array): string;
  /** @returns a path where nothing is */
  fresh(): string;
  /** @returns an empty folder */
  folder(): string;
  /** Removes all that was made since the last time. */
  tidy(): void;
}

/** Bytes of an input: what takes time with their square is seen at this size, and thousands a minute can be tried. */
export const INPUT_BYTES_MAX = 65_536;

export const newPlace = (): Place & { readonly erase: () => void } => {
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

/** @returns whether the error is one of the table that blames the input, as bad bytes deserve */
export const isRefusal = (error: unknown): boolean =>
  (error instanceof JobError && jobErrors[error.code].fault === "input") ||
  (error instanceof RequestError && requestErrors[error.code].status < 500);

/** @returns what the work gives; undefined when it refuses the input, which ends nothing where there is more to look at */
export const refusing = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch (error) {
    return refused(error);
  }
};

/** Takes a refusal for an answer. @throws all else */
export const refused = (error: unknown): undefined => {
  if (!isRefusal(error)) {
    throw error;
  }
  return undefined;
};

/**
 * Lets a parser read an input.
 *
 * @returns what went wrong, with the first line of the place where it did; undefined when all promises were kept
 */
export const faultOf = async (parser: Parser, input: Buffer, place: Place): Promise<string | undefined> => {
  try {
    await parser.hold(input, place);
    return undefined;
  } catch (error) {
    return isRefusal(error) ? undefined : told(error);
  } finally {
    place.tidy();
  }
};

const told = (error: unknown): string => {
  if (!(error instanceof Error)) {
    return `threw ${String(error)}`;
  }
  const frame = error.stack?.split("\n").find((line) => /\/(?:functions|local)\//.test(line)) ?? "";
  return `${error.name}: ${error.message.slice(0, 300)} ${frame.replace(/^.*\/((?:functions|local)\/[^)]*)\)?$/, "at $1")}`;
};

/** A promise that was not kept. */
export const broken = (promise: string, shown: unknown): Error =>
  new Error(`${promise}: ${JSON.stringify(shown)?.slice(0, 400)}`);
