/** The rows of the table of commands. */

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
  /** Command lines, without the name of the program. */
  readonly usage: readonly string[];
  readonly text: string;
  /** Kind of the words after the command, for completions. */
  readonly words?: "files" | readonly string[];
  readonly options: Readonly<Record<string, OptionRow>>;
  /** Lines at the end of the help. */
  readonly notes?: readonly string[];
}

/** Options of several commands. */

export const json = { type: "boolean", text: "print JSON" } as const;
export const quiet = { type: "boolean", short: "q", text: "print only errors" } as const;
export const jobs = {
  type: "string",
  short: "j",
  value: "N",
  text: "concurrent conversions, 1 to 32; default 4",
} as const;
export const option = {
  type: "string",
  short: "O",
  value: "NAME=VALUE",
  multiple: true,
  text: "conversion option; --quality 80 is short for --option quality=80",
} as const;

export const steps = {
  type: "string",
  value: "FILE.json",
  text: "JSON list of steps that follow the conversion",
} as const;

/** Options of lists that are sorted by time. */
export const page = {
  "key-id": { type: "string", value: "ID", text: "list only those of this API key" },
  since: {
    type: "string",
    value: "TIME",
    text: "list only those from this time on: 2026-11-22 or 2026-11-22T09:30:00Z",
  },
  before: { type: "string", value: "TIME", text: "list only those before this time" },
  limit: { type: "string", value: "N", text: "maximum number, 1 to 100; default 20" },
} as const;
