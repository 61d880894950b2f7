export interface Parameter {
  /** @default the name of the row */
  readonly name?: string;
  readonly in: "header" | "path" | "query";
  readonly description: string;
  /** Path parameters always are. @default no */
  readonly required?: true;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: unknown;
}

export const text = { type: "string" } as const;
