import { JobError } from "../../domain/errors.ts";
import { FileRefused, HelperNeeded } from "./engine.ts";
import { type ConverterError, type ConverterMessage, DETAIL_CHARACTERS_MAX } from "./messages.ts";

/** @returns the message that reports the error to the one who gave the task */
export const failureMessage = (error: unknown): ConverterMessage =>
  error instanceof HelperNeeded ? { helperNeeded: true } : { error: described(error) };

/** @returns the text within the maximum length */
export const cut = (detail: string): string =>
  detail.length > DETAIL_CHARACTERS_MAX ? `${detail.slice(0, DETAIL_CHARACTERS_MAX - 2).toWellFormed()} …` : detail;

const CAUSE_CHARACTERS_MAX = 8_192;

/** @returns the details for the client, and the cause, which is only for the log */
const described = (error: unknown): ConverterError => {
  const inner = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack}` : "";
  const cause = `${error instanceof Error ? error.stack : error}${inner}`.slice(0, CAUSE_CHARACTERS_MAX);
  return error instanceof JobError
    ? { code: error.code, detail: cut(error.message), cause, isRefusal: error instanceof FileRefused }
    : { code: "engine_failed", detail: "The conversion failed because of a server error.", cause };
};
