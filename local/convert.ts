import { existsSync, mkdtempSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runScripts } from "../functions/domain/conversions/engines.ts";
import { currentOptions } from "../functions/domain/conversions/former-names.ts";
import { jobOptions } from "../functions/domain/conversions/job-options.ts";
import { conversionLimits } from "../functions/domain/conversions/lanes.ts";
import {
  isOptionText,
  type OptionName,
  type Options,
  optionFromText,
  uploadOptions,
} from "../functions/domain/conversions/options.ts";
import { planRoutes, type Route, type RouteTable } from "../functions/domain/conversions/plan.ts";
import type { Refusal } from "../functions/domain/conversions/plan-fallbacks.ts";
import { jobErrors } from "../functions/domain/errors/job-errors.ts";
import { JobError, RequestError } from "../functions/domain/errors.ts";
import { detectFormat } from "../functions/domain/formats/detect.ts";
import { extensionOf, type FormatId, formatNamed, formatOf } from "../functions/domain/formats/formats.ts";
import { suggestion } from "../functions/domain/nearest-name.ts";
import { withExtension } from "../functions/domain/uploads/upload.ts";
import type { FurtherFile } from "../functions/engines/core/engine.ts";
import { converterPool } from "../functions/engines/core/run.ts";
import type { ConversionResult, NamedOptionFile } from "../functions/engines/core/task.ts";
import { type TakenRoute, warningsOf, withFallbacks } from "../functions/engines/core/with-fallbacks.ts";
import { converterEntry } from "./engines/converter-files.ts";
import { installedEngines } from "./engines/installed.ts";
import { sandboxFor } from "./engines/isolation.ts";
import { detectionSample } from "./files/detection-sample.ts";
import { SettingsError } from "./setting-values.ts";
import { isolationNamed } from "./settings.ts";

/** Converts files without the service: `npm run convert -- photo.heic photo.pdf --page_size a4`. */

const USAGE = `Usage: npm run convert -- <input>... <output> [--option value]... [--force]
       npm run convert -- <input>          List the formats that the file can be converted to

The extension of <output> selects the target format. Several inputs are merged into one output, if the format allows it.
Options are listed by GET /api/v1/formats. Examples: --quality 80, --pages 1-3, --lossless.
--force overwrites existing files.`;

/** An invalid command line. */
class UsageError extends Error {}

interface Command {
  readonly inputs: readonly string[];
  readonly output: string | undefined;
  readonly force: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

/** @throws UsageError when the input is missing */
const commandOf = (args: readonly string[]): Command => {
  const { tokens } = parseArgs({ args: [...args], strict: false, allowPositionals: true, tokens: true });
  const paths: string[] = [];
  const options: Record<string, unknown> = {};
  let name: string | undefined;
  for (const token of tokens) {
    const text = token.kind === "positional" ? token.value : undefined;
    if (token.kind === "option") {
      name = token.value === undefined ? token.name : undefined;
      options[token.name] = optionFromText(token.name, token.value ?? "");
    } else if (text !== undefined && name !== undefined && takes(name, text)) {
      options[name] = optionFromText(name, text);
      name = undefined;
    } else if (text !== undefined) {
      paths.push(text);
    }
  }
  const { force, ...rest } = options;
  const [first] = paths;
  if (first === undefined) {
    throw new UsageError("Missing input file.");
  }
  const output = paths.length > 1 ? paths.at(-1) : undefined;
  const inputs = paths.length > 1 ? paths.slice(0, -1) : [first];
  return { inputs, output, force: force !== undefined, options: currentOptions(rest) };
};

/** A flag such as `--lossless` accepts only `true` and `false`, and `--ocr` also its choices. */
const takes = (name: string, text: string): boolean =>
  name !== "force" && (optionFromText(name, "") === "" || isOptionText(name, text));

/** @returns the format of a local file @throws RequestError `unrecognized_format`, UsageError when it does not exist */
const formatOfFile = async (path: string): Promise<FormatId> => {
  if (!existsSync(path)) {
    throw new UsageError(`File not found: ${path}.`);
  }
  const { head, tail } = await detectionSample(path);
  const format = detectFormat(head, { tail, filename: path });
  if (format === undefined) {
    throw new RequestError("unrecognized_format", `The file format of ${path} was not recognized.`);
  }
  return format;
};

/** @throws RequestError `unsupported_conversion`; UsageError for an unknown extension */
const routeFor = (
  routes: RouteTable,
  formats: readonly [FormatId, ...FormatId[]],
  { output = "", options }: Command,
): Route => {
  const to = formatNamed(extname(output));
  if (to === undefined) {
    const near = suggestion(
      extname(output).slice(1),
      formats.flatMap((format) => routes.targets(format)),
    );
    throw new UsageError(`Unknown output format: ${output}.${near}`);
  }
  const [from, second] = formats;
  const names = Object.keys(options);
  const route = second === undefined ? routes.find(from, to, names) : routes.merge(formats, to, names);
  if (route === undefined && second !== undefined) {
    throw new RequestError("unsupported_conversion", routes.whyNotMerged(formats, to));
  }
  if (route === undefined) {
    const targets = routes.targets(from).join(", ") || "none";
    const detail = `${formatOf(from).name} cannot be converted to ${formatOf(to).name}. Supported targets: ${targets}.`;
    throw new RequestError("unsupported_conversion", detail);
  }
  return route;
};

interface Input {
  readonly folder: string;
  /** The formats of the inputs. */
  readonly formats: readonly [FormatId, ...FormatId[]];
}

type Named = Required<FurtherFile>;

const filesOf = ({ inputs }: Command, [first, ...formats]: Input["formats"]): [Named, ...Named[]] => {
  const fileOf = (path: string, from: FormatId): Named => ({ path: resolve(path), from, name: basename(path) });
  return [fileOf(inputs[0] ?? "", first), ...formats.map((from, index) => fileOf(inputs[index + 1] ?? "", from))];
};

/** @returns the files of options whose value is an upload: here it is a path */
const optionFilesIn = async ({ options }: Command): Promise<NamedOptionFile[]> => {
  const files: NamedOptionFile[] = [];
  for (const [option, value] of Object.entries(options) as [OptionName, unknown][]) {
    if (uploadOptions.has(option)) {
      const path = resolve(String(value));
      files.push({ option, path, from: await formatOfFile(path), name: basename(path) });
    }
  }
  return files;
};

/** @returns the options, with filenames in place of paths, which can be longer than the ID of an upload */
const withoutPaths = ({ options }: Command): Command["options"] =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      uploadOptions.has(name) ? basename(String(value)).slice(0, 64) : value,
    ]),
  );

/** Converts in a separate process, with the limits of the service, and shows the progress in the terminal. */
const run = async (
  route: Route,
  command: Command,
  { folder, formats, options, routes }: Input & { readonly options: Options; readonly routes: RouteTable },
): Promise<ConversionResult> => {
  // Without a complete sandbox the file is converted anyway: it belongs to the user.
  const scratchFolder = dirname(folder);
  const { enclosure } = await sandboxFor(isolationNamed(process.env.ANYFORM_ISOLATION), {
    scratchFolder,
    converterEntry,
  });
  const pool = converterPool({ size: 1, entry: converterEntry, enclosure, scratchFolder });
  const [{ path: input, name }, ...others] = filesOf(command, formats);
  const further = others.map((file, index) => ({ ...file, steps: route.further?.[index] ?? [] }));
  const optionFiles = await optionFilesIn(command);
  const onProgress = (percent: number) => {
    if (process.stderr.isTTY) {
      process.stderr.write(`\r${percent} %`);
    }
  };
  let { lane, helperLane } = route;
  const convert = (steps: Route["steps"]): Promise<ConversionResult> =>
    pool.run(
      {
        ...{ input, name, further, optionFiles, steps, options, folder: mkdtempSync(join(folder, "run-")) },
        ...(helperLane && { helper: "here" }),
      },
      { ...conversionLimits(helperLane ?? lane), onProgress },
    );
  const next = (refusal: Refusal): TakenRoute | undefined => {
    const { from, to } = route;
    const found = further.length > 0 ? undefined : routes.fallback({ from, to, options }, refusal.tried);
    ({ lane, helperLane } = found ?? route);
    return found && { route: found, refusal };
  };
  try {
    const { result, taken } = await withFallbacks({ route }, { convert, next });
    return { ...result, warnings: [...warningsOf(taken), ...result.warnings] };
  } finally {
    await pool.stop();
    process.stderr.write(process.stderr.isTTY ? "\r     \r" : "");
  }
};

const deliver = async (result: ConversionResult, { output = "", force }: Command): Promise<string> => {
  const path = result.bundled ? join(resolve(output, ".."), withExtension(output, extensionOf("zip"))) : output;
  checkFree(path, force);
  await copyFile(result.output, path);
  return path;
};

const checkFree = (path: string, force: boolean): void => {
  if (existsSync(path) && !force) {
    throw new UsageError(`${path} already exists. Use --force to overwrite it.`);
  }
};

const main = async (args: readonly string[]): Promise<void> => {
  if (args.includes("--help")) {
    console.log(USAGE);
    return;
  }
  const command = commandOf(args);
  // Without a service there is no proxy and no sandbox for web pages.
  const routes = planRoutes(new Set([...installedEngines().keys()].filter((id) => !runScripts([id]))));
  const [from = "txt", ...others] = await Promise.all(command.inputs.map(formatOfFile));
  const formats = [from, ...others] as const;
  if (command.output === undefined) {
    const targets = routes.targets(from).join(", ") || "none";
    console.log(`${command.inputs[0]} is ${formatOf(from).name}. Supported targets: ${targets}.`);
    return;
  }
  const route = routeFor(routes, formats, command);
  const { options, warnings } = jobOptions(routes, route, withoutPaths(command));
  checkFree(command.output, command.force);
  const folder = await mkdtemp(join(tmpdir(), "anyform-convert-"));
  try {
    const result = await run(route, command, { folder, formats, options, routes });
    const path = await deliver(result, command);
    const steps = result.timings.map(({ engine, to, durationMs }) => `${engine} → ${to} ${durationMs} ms`);
    console.error(`${path}: ${route.fidelity}, ${steps.join(", ")}`);
    for (const { code, detail } of [...warnings, ...result.warnings]) {
      console.error(`warning ${code}: ${detail}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Prints the error and sets the exit code: 2 for an invalid command line or setting, otherwise 1. */
const fail = (error: unknown): void => {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (error instanceof SettingsError) {
    console.error(error.message);
    process.exitCode = 2;
    return;
  }
  const isExpected = error instanceof JobError || error instanceof RequestError;
  const fields =
    error instanceof RequestError
      ? (error.extra.errors ?? []).map(({ pointer, detail }) => `\n${pointer}: ${detail}`)
      : [];
  console.error(isExpected ? `${error.code}: ${error.message}${fields.join("")}` : error);
  if (error instanceof JobError && jobErrors[error.code].fault === "service" && error.cause !== undefined) {
    console.error(error.cause);
  }
  process.exitCode = 1;
};

await main(process.argv.slice(2)).catch(fail);
