/** The used part of the package, which has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: { readonly prototype: { redirectUriAllowed: (url: string) => boolean } };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
