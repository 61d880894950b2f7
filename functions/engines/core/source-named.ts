import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";

/** The first and the last format of a conversion are the client's; those between are not. */
interface Ends {
  readonly step: { readonly from: FormatId; readonly to: FormatId };
  /** The format of the client's file. */
  readonly source: FormatId;
  /** The format of the result. */
  readonly target: FormatId;
}

/**
 * @returns whether the warning is about something that the result cannot have anyway, which its format says: styles
 * that an earlier step lost before the text was written
 */
export const isMeaningless = ({ code }: Warning, { step, target }: Ends): boolean => {
  const { keeps } = formatOf(target);
  return code === "styles_dropped" && step.to !== target && keeps.includes("text") && !keeps.includes("styles");
};

/** @returns the warning of a step with the names of the client's formats instead of intermediate ones */
export const withFormatsNamed = (warning: Warning, { step: { from, to }, source, target }: Ends): Warning => {
  const names: readonly (readonly [FormatId, FormatId])[] = [
    [from, source],
    [to, target],
  ];
  const detail = names
    .filter(([own, other]) => own !== other && own !== source && own !== target)
    .reduce((text, [own, other]) => named(text, formatOf(own).name, formatOf(other).name), warning.detail);
  return detail === warning.detail ? warning : { ...warning, detail };
};

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
