/** A problem with an otherwise usable result. */
export interface Warning {
  readonly code: string;
  readonly detail: string;
}
