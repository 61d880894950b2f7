/** Types and error codes of JSON-RPC 2.0. */

export type Id = string | number;
export type Params = Readonly<Record<string, unknown>>;

export const protocolErrors = {
  parse_error: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal_error: -32_603,
} as const;

/** A protocol error. A failed tool call is reported in its result instead. */
export class ProtocolError extends Error {
  readonly kind: keyof typeof protocolErrors;
  readonly id: Id | undefined;

  constructor(kind: keyof typeof protocolErrors, message: string, id?: Id) {
    super(message);
    this.kind = kind;
    this.id = id;
  }
}

export const isRecord = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);
