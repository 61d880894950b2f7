/** One operation: what is converted with which options, and how another program recognizes the result. */
export interface Row {
  readonly name: string;
  /** A file of `sources.ts`; several are merged in this order. */
  readonly from: string | readonly string[];
  readonly to: string;
  /** @default none */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Files of `sources.ts` as options. */
  readonly files?: Readonly<Record<string, string>>;
  /** In every run of the tests; the others are in the complete set. */
  readonly isQuick?: true;
  /** Throws unless the result is right. */
  check(path: string): Promise<void> | void;
}

/** @returns the result's path */
export type Channel = (row: Row, output: string) => Promise<void>;

export const inputsOf = ({ from }: Row): readonly string[] => (typeof from === "string" ? [from] : from);

/** @returns an option as the text of a form */
export const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));
