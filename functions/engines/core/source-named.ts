import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";

interface Place {
  /** The step that failed. */
  readonly step: { readonly from: FormatId };
  /** The format of the client's file. */
  readonly source: FormatId | undefined;
}

/**
 * A later step reads an intermediate file, which the client did not send.
 *
 * @returns the error with the name of the client's format instead of the intermediate one
 */
export const withSourceNamed = (error: unknown, { step, source = step.from }: Place): unknown => {
  if (!(error instanceof JobError) || source === step.from) {
    return error;
  }
  const detail = named(error.message, formatOf(step.from).name, formatOf(source).name);
  return new JobError(error.code, detail, { cause: error.cause ?? error });
};

/** Replaces the name where it is a word: not in `HTML5`, and not in a file name. */
const named = (detail: string, from: string, to: string): string =>
  detail
    .split(from)
    .reduce((left, right) =>
      /[\w./-]$/.test(left) || /^[\w/-]/.test(right) ? left + from + right : left + to + right,
    );
