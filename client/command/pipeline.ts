import { basename, join } from "node:path";
import type { PipelineDefinition } from "../api.ts";
import type { SavableFile } from "../node.ts";
import { save } from "./convert.ts";
import { UsageError } from "./exit.ts";
import { jsonIn } from "./request-parts.ts";
import type { Run } from "./run.ts";
import { clientFor } from "./settings.ts";
import { print } from "./show.ts";

/** Runs the pipeline in a JSON file with local inputs, and saves its results. */
export const pipeline = async ({ args, signal }: Run): Promise<void> => {
  const [action, path, ...more] = args.words;
  if (action !== "run" || path === undefined || more.length > 0) {
    throw new UsageError("Use `anyform pipeline run FILE.json --input NAME=PATH`.");
  }
  const definition = await definitionIn(path);
  const inputs = Object.fromEntries(args.texts("input").map(inputOf));
  const client = await clientFor({ key: "required" });
  const { pipeline: ended, files } = await client.pipelines.run(definition, inputs, { signal });
  const out = args.text("out") ?? ".";
  const saved: Record<string, string> = {};
  for (const [step, output] of Object.entries(outputsOf(files, out))) {
    const file = files[step];
    if (file !== undefined) {
      await save(file, output, args.flag("force"));
      saved[step] = output;
    }
  }
  if (args.flag("json")) {
    print({ pipeline: ended, outputs: saved });
  } else if (!args.flag("quiet")) {
    for (const [step, output] of Object.entries(saved)) {
      console.log(`${step}: ${output}`);
    }
  }
};

/** A file with the body of `createPipeline`. Its inputs are those of the command line. */
const definitionIn = async (path: string): Promise<PipelineDefinition> => {
  const value = await jsonIn(path);
  if (typeof value !== "object" || value === null || !("steps" in value) || !Array.isArray(value.steps)) {
    throw new UsageError(`${path} is not a pipeline: it must be an object with \`steps\`.`);
  }
  // The service checks the rest.
  const { inputs: _, ...definition } = value as PipelineDefinition & { readonly inputs?: unknown };
  return definition;
};

const inputOf = (text: string): [string, string] => {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) {
    throw new UsageError(`Invalid --input ${text}. Use --input NAME=PATH.`);
  }
  return [text.slice(0, at), text.slice(at + 1)];
};

/** The names are from the service, so their folders are ignored. Results of the same name get the name of their step. */
const outputsOf = (files: Readonly<Record<string, SavableFile>>, out: string): Readonly<Record<string, string>> => {
  const names = Object.values(files).map(({ name }) => basename(name));
  return Object.fromEntries(
    Object.entries(files).map(([step, file]) => {
      const name = basename(file.name);
      const isUnique = names.filter((other) => other === name).length === 1;
      return [step, join(out, isUnique ? name : `${step}-${name}`)];
    }),
  );
};
