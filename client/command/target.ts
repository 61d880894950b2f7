import { basename } from "node:path";
import type { Conversion, FormatList, Preset } from "../api.ts";
import { AnyformError } from "../http/errors.ts";
import type { Service } from "../http/request.ts";
import { exists } from "../node/node-save.ts";
import type { Arguments } from "./arguments.ts";
import { UsageError } from "./exit.ts";

/** The target format of a command line, from `--to` or from the name of the output. */

type Format = FormatList["formats"][number];

/** A target with everything that the service can convert into it. */
export interface Target {
  readonly format: Format;
  readonly conversions: readonly Conversion[];
  /** The formats that can be converted into the target. */
  readonly sources: readonly Format[];
}

export interface NamedTarget extends Target {
  /** The last word of the command line, if it names the output. */
  readonly output: string | undefined;
}

/** @throws UsageError for an unknown format */
export const targetNamed = async (service: Service, name: string): Promise<Target> => {
  const target = await targetOrError(service, name);
  if (target instanceof AnyformError) {
    throw new UsageError(`${target.detail} Run \`anyform formats\` to list the supported formats.`);
  }
  return target;
};

/** @returns the target format of the preset, if it has one @throws UsageError for an unknown preset */
const presetTarget = async (service: Service, name: string | undefined): Promise<string | undefined> => {
  if (name === undefined) {
    return undefined;
  }
  try {
    const { target_format } = await service.json<Preset>({ to: `presets/${encodeURIComponent(name)}` });
    return target_format ?? undefined;
  } catch (error) {
    throw error instanceof AnyformError && error.status === 404 ? new UsageError(error.detail) : error;
  }
};

/** @throws UsageError for a missing or an unknown target */
export const targetOf = async (service: Service, args: Arguments): Promise<NamedTarget> => {
  const to = args.text("to") ?? (await presetTarget(service, args.text("preset")));
  if (to !== undefined) {
    return { ...(await targetNamed(service, to)), output: undefined };
  }
  const output = await outputWord(args);
  for (const extension of extensionsOf(output)) {
    const target = await targetOrError(service, extension);
    if (!(target instanceof AnyformError)) {
      return { ...target, output };
    }
  }
  throw new UsageError(`The extension of ${output} is not a supported format. Use --to FORMAT.`);
};

const MISSING = "Missing target format. Use --to FORMAT, or anyform convert INPUT OUTPUT.";

/** Values of options may follow the output, so the last word with an extension is the output. */
const outputWord = async (args: Arguments): Promise<string> => {
  const word = args.words.findLast((each) => extensionsOf(each).length > 0 && !/^https?:/i.test(each));
  const values = new Set(args.others.map((other) => other.word));
  const plain = args.words.filter((_, index) => !values.has(index));
  if (word === undefined || args.words.length < 2 || (plain.length > 2 && !args.flag("merge"))) {
    throw new UsageError(MISSING);
  }
  if (args.text("out") !== undefined) {
    throw new UsageError("Missing target format. With --out, use --to FORMAT.");
  }
  if (!args.flag("force") && !args.flag("skip-existing") && (await exists(word))) {
    throw new UsageError(
      `${word} already exists. Use --to FORMAT to convert it, too, or --force to replace it with the result.`,
    );
  }
  return word;
};

/** @returns the extensions that a name may have, longest first: `tar.gz` and `gz` */
const extensionsOf = (path: string): string[] => {
  const [, archive, last] = /(?<=.)\.(?:(tar)\.)?([a-z0-9]{1,10})$/i.exec(basename(path)) ?? [];
  if (last === undefined || /[\\/]$/.test(path)) {
    return [];
  }
  return archive === undefined ? [last] : [`${archive}.${last}`, last];
};

/** @returns the error of the service for a name that is not a format */
const targetOrError = async (service: Service, name: string): Promise<Target | AnyformError> => {
  try {
    return targetIn(await service.json<FormatList>({ to: `formats?${listQuery(name)}` }));
  } catch (error) {
    if (error instanceof AnyformError && error.status === 400) {
      return error;
    }
    throw error;
  }
};

const listQuery = (target: string): URLSearchParams => new URLSearchParams({ target, conversions: "true" });

const targetIn = ({ formats, conversions = [] }: FormatList): Target => {
  const format = formats.find(({ id }) => id === conversions[0]?.target);
  if (format === undefined) {
    throw new UsageError("This format is not a supported target. Run `anyform formats` to list the supported formats.");
  }
  const ids = new Set(conversions.map(({ source }) => source));
  return { format, conversions, sources: formats.filter(({ id }) => ids.has(id)) };
};

/** @returns the conversions of the formats that the names suggest; all if they suggest none */
export const likelyConversions = (
  { conversions, sources }: Target,
  names: readonly string[],
): readonly Conversion[] => {
  const likely = new Set(sources.filter((format) => names.some((name) => isNamed(format, name))).map(({ id }) => id));
  return likely.size === 0 ? conversions : conversions.filter(({ source }) => likely.has(source));
};

/** @returns whether the name has an extension of the format */
export const isNamed = ({ extensions }: Pick<Format, "extensions">, name: string): boolean => {
  const lower = name.toLowerCase();
  return extensions.some((extension) => lower.endsWith(`.${extension}`));
};
