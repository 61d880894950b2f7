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
