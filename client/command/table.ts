/** The commands and their options, once: `--help`, the parser and the completions are made from them. */

export interface OptionRow {
  readonly type: "boolean" | "string";
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly text: string;
  readonly short?: string;
  readonly multiple?: boolean;
  /** What the value may be, where that is a short list. */
  readonly choices?: readonly string[];
}

export interface CommandRow {
  readonly usage: string;
  readonly text: string;
  /** What the words after the command are, for completions. */
  readonly words?: "files" | readonly string[];
  readonly options: Readonly<Record<string, OptionRow>>;
}

const json = { type: "boolean", text: "print JSON" } as const;

export const commandTable = {
  convert: {
    usage: "convert INPUT... --to FORMAT [--out PLACE] [--OPTION VALUE]...",
    text: "convert files, addresses (http:, https:), or standard input (-)",
    words: "files",
    options: {
      to: { type: "string", value: "FORMAT", text: "what they are to become: jpg, pdf, image/png, ..." },
      out: {
        type: "string",
        short: "o",
        value: "PLACE",
        text: "a folder, a file for one input, or - for standard output; default: beside the input",
      },
      option: {
        type: "string",
        short: "O",
        value: "NAME=VALUE",
        multiple: true,
        text: "an option of the conversion; --quality 80 says the same as --option quality=80",
      },
      merge: { type: "boolean", text: "make one file of all inputs" },
      jobs: { type: "string", short: "j", value: "N", text: "conversions at once, 1 to 32; default 4" },
      from: { type: "string", value: "FORMAT", text: "what standard input is, where its bytes do not tell" },
      name: { type: "string", value: "NAME", text: "the name of standard input" },
      resume: { type: "string", value: "UPLOAD", text: "go on with an upload that broke off" },
      force: { type: "boolean", short: "f", text: "write over files that are there already" },
      json: { type: "boolean", text: "print one line of JSON for each input" },
      quiet: { type: "boolean", short: "q", text: "print errors alone" },
    },
  },
  formats: {
    usage: "formats [SOURCE] [--to TARGET]",
    text: "list formats, or what one can become and with which options",
    options: { to: { type: "string", value: "TARGET", text: "only conversions into this format" }, json },
  },
  status: {
    usage: "status JOB [--wait]",
    text: "see how far a job is",
    options: { wait: { type: "boolean", text: "wait for its end" }, json },
  },
  jobs: {
    usage: "jobs [--status STATUS] [--limit N]",
    text: "list jobs, the newest first",
    options: {
      status: {
        type: "string",
        value: "STATUS",
        text: "only jobs of this status",
        choices: ["queued", "processing", "completed", "failed", "cancelled"],
      },
      limit: { type: "string", value: "N", text: "how many, 1 to 100; default 20" },
      json,
    },
  },
  account: { usage: "account", text: "see plan and quota", options: { json } },
  login: {
    usage: "login [--url URL] [--data-dir FOLDER]",
    text: "keep the address of the service and an API key, which is read from the terminal or standard input",
    options: {
      url: { type: "string", value: "URL", text: "where the service is" },
      "data-dir": { type: "string", value: "FOLDER", text: "take the owner's key of a service on this machine" },
    },
  },
  mcp: {
    usage: "mcp [--root FOLDER]...",
    text: "serve the Model Context Protocol on standard input and output",
    options: {
      root: {
        type: "string",
        value: "FOLDER",
        multiple: true,
        text: "a folder whose files may be read and written; default: this one",
      },
    },
  },
  completion: {
    usage: "completion bash|zsh|fish",
    text: "print the completion of a shell",
    words: ["bash", "zsh", "fish"],
    options: {},
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof commandTable;

export const isCommand = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(commandTable, name);

export const rowOf = (name: CommandName): CommandRow => commandTable[name];
