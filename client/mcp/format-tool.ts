import type { FormatList } from "../api.ts";
import type { Params } from "./protocol.ts";
import { optionalText, type ToolContext, textsOf } from "./tool-context.ts";

type Format = FormatList["formats"][number];

/** Lists families, formats or conversions. Models pay per token: a narrower request gets more details. */
export const formats = async (context: ToolContext, args: Params): Promise<object> => {
  const [source, target] = [optionalText(args, "source"), optionalText(args, "target")];
  const family = optionalText(args, "family");
  if (source !== undefined && target !== undefined) {
    return {
      conversion: await conversionOf(
        context,
        source,
        target,
        args.merge_with === undefined ? undefined : textsOf(args, "merge_with"),
      ),
    };
  }
  const list = await context.client.formats({ source, target, family });
  if (source !== undefined) {
    const [format] = list.formats.filter(({ targets }) => targets.length > 0);
    return { source: format?.id ?? source, targets: format?.targets ?? [] };
  }
  if (target !== undefined) {
    const sources = list.formats.filter(({ targets }) => targets.length > 0);
    return { target: sources[0]?.targets[0] ?? target, sources: sources.map(({ id }) => id) };
  }
  return family === undefined
    ? { families: familiesIn(list.formats) }
    : { formats: list.formats.filter((format) => format.family === family).map(formatView) };
};

const conversionOf = async (
  { client }: ToolContext,
  source: string,
  target: string,
  mergeWith: readonly string[] | undefined,
): Promise<object> => {
  const conversion = await client.conversion(source, target, { mergeWith });
  const { fidelity, drops, options, merges, max_bytes } = conversion;
  return { source: conversion.source, target: conversion.target, fidelity, drops, options, merges, max_bytes };
};

interface FamilyView {
  readonly family: string;
  /** Number of formats. */
  readonly formats: number;
  readonly readable: number;
  readonly writable: number;
}

const familiesIn = (all: readonly Format[]): FamilyView[] => {
  const names = [...new Set(all.map(({ family }) => family))];
  return names.map((family) => {
    const members = all.filter((format) => format.family === family);
    return {
      family,
      formats: members.length,
      readable: members.filter(({ targets }) => targets.length > 0).length,
      writable: members.filter(({ writable }) => writable).length,
    };
  });
};

const formatView = ({ id, name, targets, writable }: Format) => ({ id, name, readable: targets.length > 0, writable });
