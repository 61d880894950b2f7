/** The commands and their options. `--help`, the parser and the completions are generated from this table. */

export interface OptionRow {
  readonly type: "boolean" | "string";
  /** Placeholder of the value in the help. */
  readonly value?: string;
  readonly text: string;
  readonly short?: string;
  readonly multiple?: boolean;
  /** Allowed values, if there are only a few. */
  readonly choices?: readonly string[];
}

export interface CommandRow {
  readonly usage: string;
  readonly text: string;
  /** Kind of the words after the command, for completions. */
  readonly words?: "files" | readonly string[];
  readonly options: Readonly<Record<string, OptionRow>>;
}

const json = { type: "boolean", text: "print JSON" } as const;

export const commandTable = {
  convert: {
    usage: "convert INPUT... --to FORMAT [--out PATH] [--OPTION VALUE]...",
    text: "convert files, URLs (http:, https:), or standard input (-)",
    words: "files",
    options: {
      to: { type: "string", value: "FORMAT", text: "target format: jpg, pdf, image/png, ..." },
      out: {
        type: "string",
        short: "o",
        value: "PATH",
        text: "output folder, file (one input only), or - for standard output; default: the input's folder",
      },
      option: {
        type: "string",
        short: "O",
        value: "NAME=VALUE",
        multiple: true,
        text: "conversion option; --quality 80 is short for --option quality=80",
      },
      merge: { type: "boolean", text: "merge all inputs into one file" },
      jobs: { type: "string", short: "j", value: "N", text: "concurrent conversions, 1 to 32; default 4" },
      from: {
        type: "string",
        value: "FORMAT",
        text: "format of standard input, if it cannot be detected from the content",
      },
      name: { type: "string", value: "NAME", text: "file name of standard input" },
      resume: { type: "string", value: "UPLOAD", text: "resume an interrupted upload" },
      force: { type: "boolean", short: "f", text: "overwrite existing files" },
      json: { type: "boolean", text: "print one line of JSON per input" },
      quiet: { type: "boolean", short: "q", text: "print only errors" },
    },
  },
  formats: {
    usage: "formats [SOURCE] [--to TARGET]",
    text: "list formats, or the conversions of a format with their options",
    options: { to: { type: "string", value: "TARGET", text: "list only conversions into this format" }, json },
  },
  status: {
    usage: "status JOB [--wait]",
    text: "show the status of a job",
    options: { wait: { type: "boolean", text: "wait until the job ends" }, json },
  },
  jobs: {
    usage: "jobs [--status STATUS] [--limit N]",
    text: "list jobs, newest first",
    options: {
      status: {
        type: "string",
        value: "STATUS",
        text: "list only jobs with this status",
        choices: ["queued", "processing", "completed", "failed", "cancelled", "expired"],
      },
      limit: { type: "string", value: "N", text: "maximum number of jobs, 1 to 100; default 20" },
      json,
    },
  },
  account: { usage: "account", text: "show plan and quota", options: { json } },
  login: {
    usage: "login [--url URL] [--data-dir FOLDER]",
    text: "save the service URL and an API key, read from the terminal or standard input",
    options: {
      url: { type: "string", value: "URL", text: "URL of the service" },
      "data-dir": { type: "string", value: "FOLDER", text: "use the owner's key of a service on this machine" },
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
        text: "folder whose files may be read and written; default: the current folder",
      },
    },
  },
  completion: {
    usage: "completion bash|zsh|fish",
    text: "print shell completions",
    words: ["bash", "zsh", "fish"],
    options: {},
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof commandTable;

export const isCommand = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(commandTable, name);

export const rowOf = (name: CommandName): CommandRow => commandTable[name];
