import type { OptionValues } from "../options/schema-form.ts";

/** A program that converts files with one request. */
interface Sample {
  readonly id: string;
  readonly label: string;
  readonly code: string;
}

/** What the programs convert. */
export interface SampleFiles {
  /** The URL of the service, without a trailing slash. */
  readonly address: string;
  readonly file: string;
  /** Files that are merged after the first. @default none */
  readonly further?: readonly string[];
  /** The ID of the target format. */
  readonly target: string;
  readonly result: string;
  /** @default none */
  readonly options?: OptionValues;
}

/** @returns the same conversion as curl, TypeScript, Python and command */
export const oneCallSamples = (files: SampleFiles): readonly Sample[] => [
  { id: "curl", label: "curl", code: curlSample(files) },
  { id: "typescript", label: "TypeScript", code: typescriptSample(files) },
  { id: "python", label: "Python", code: pythonSample(files) },
  { id: "command", label: "anyform", code: commandSample(files) },
];

const curlSample = ({ address, file, further = [], target, result, options = {} }: SampleFiles): string => {
  const parts = [file, ...further].map((name) => `-F ${shellWord(`file=@${formName(name)}`)}`);
  const chosen = Object.keys(options).length === 0 ? [] : [`-F ${shellWord(`options=${JSON.stringify(options)}`)}`];
  return `curl -sSfL ${address}/api/v1/convert -H "Authorization: Bearer $KEY" \\
  ${[...parts, `-F target_format=${target}`, ...chosen].join(" ")} -o ${shellWord(result)}`;
};

const typescriptSample = ({ address, file, further = [], target, result, options = {} }: SampleFiles): string => {
  const quoted = (text: string): string => JSON.stringify(text);
  const call =
    further.length === 0 ? `convert(${quoted(file)}` : `merge([${[file, ...further].map(quoted).join(", ")}]`;
  const chosen = Object.keys(options).length === 0 ? "" : `, { options: ${JSON.stringify(options)} }`;
  return `import { createClient } from "@anyform/client";

const anyform = createClient({ apiKey: process.env.KEY, baseUrl: "${address}" });
const file = await anyform.${call}, ${quoted(target)}${chosen});
await file.save(${quoted(result)});`;
};

const pythonSample = ({ address, file, further = [], target, result, options = {} }: SampleFiles): string => {
  const call = further.length === 0 ? `convert(${JSON.stringify(file)}` : `merge(${pythonValue([file, ...further])}`;
  const chosen = Object.keys(options).length === 0 ? "" : `, options=${pythonValue(options)}`;
  return `import os
from anyform import Anyform

client = Anyform(api_key=os.environ["KEY"], base_url="${address}")
client.${call}, ${JSON.stringify(target)}${chosen}).save(${JSON.stringify(result)})`;
};

/** @returns the value as a Python literal: JSON, with Python's names of the constants */
const pythonValue = (value: unknown): string => {
  if (Array.isArray(value)) {
    return `[${value.map(pythonValue).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each)}`)
      .join(", ")}}`;
  }
  return { true: "True", false: "False", null: "None" }[String(value)] ?? JSON.stringify(value);
};

const commandSample = ({ address, file, further = [], target, result, options = {} }: SampleFiles): string => {
  const chosen = Object.entries(options).map(([name, value]) => {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return ` --${name.replaceAll("_", "-")} ${shellWord(text)}`;
  });
  const inputs = [file, ...further].map(shellPath).join(" ");
  const merge = further.length === 0 ? "" : " --merge";
  return `export ANYFORM_URL=${address} ANYFORM_API_KEY="$KEY"
anyform convert ${inputs} --to ${target}${merge} --out ${shellPath(result)}${chosen.join("")}`;
};

/** @returns the name in the form that curl reads after `@`: quoted if it has a separator */
const formName = (name: string): string => (/[;,"\\]/.test(name) ? JSON.stringify(name) : name);

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A name that starts with a hyphen would be an option. */
const shellPath = (name: string): string => shellWord(name.startsWith("-") ? `./${name}` : name);
