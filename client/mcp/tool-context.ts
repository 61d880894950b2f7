import type { Anyform } from "../node.ts";
import type { Folders } from "./folders.ts";
import type { Params } from "./protocol.ts";
import { ToolError } from "./tool-error.ts";

/** What a tool call can use. */
export interface ToolContext {
  readonly client: Anyform;
  readonly folders: Folders;
  readonly signal: AbortSignal;
  report(percent: number, message: string): void;
}

/** @throws ToolError if it is missing */
export const textOf = (args: Params, name: string): string => {
  const text = optionalText(args, name);
  if (text === undefined) {
    throw new ToolError(`\`${name}\` is required.`);
  }
  return text;
};

/** @throws ToolError if it is not a non-empty string */
export const optionalText = (args: Params, name: string): string | undefined => {
  const value = args[name];
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== "string" || value === "") {
    throw new ToolError(`\`${name}\` must be a non-empty string.`);
  }
  return value;
};

/** @throws ToolError unless it is a list of non-empty strings with at least one */
export const textsOf = (args: Params, name: string): readonly string[] => {
  const value = args[name];
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string" && each !== "") : [];
  if (!Array.isArray(value) || texts.length === 0 || texts.length !== value.length) {
    throw new ToolError(`\`${name}\` must be a list of non-empty strings.`);
  }
  return texts;
};
