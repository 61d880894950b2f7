import { type Client, clientOn } from "./client.ts";
import type { ConvertedFile } from "./file.ts";
import { openWebInput, type WebInput } from "./input.ts";
import type { ClientSettings } from "./request.ts";
import { sha256 } from "./sha256.ts";

/** The client for browsers and other platforms with web APIs. */

export { verifyWebhook } from "./calls/webhooks.ts";
export { AnyformError, ConversionError } from "./errors.ts";
export type * from "./types.ts";

/** The client that `createClient` returns. */
export type Anyform = Client<WebInput, ConvertedFile>;

export const createClient = (settings: ClientSettings): Anyform =>
  clientOn({ open: openWebInput, result: (file) => file, hasher: sha256 }, settings);
