/** The name of a conversion option, and what to know about it. */
export interface OptionText {
  readonly title: string;
  readonly hint: string;
  /** Names of the choices, by value. */
  readonly choices?: Readonly<Record<string, string>>;
}
