/** A request to one of Gotenberg's routes that is answered with plain text, as Gotenberg does. */
export class GotenbergError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** @returns the error for a field or a route of Gotenberg that has no equivalent here */
export const notOffered = (what: string): GotenbergError =>
  new GotenbergError(501, `${what} is not available on this server. See docs/from-gotenberg.md.`);
