import { type Client, clientOn } from "./client.ts";
import type { ClientSettings } from "./http/request.ts";
import type { ConvertedFile } from "./transfer/file.ts";
import { openWebInput, type WebInput } from "./transfer/input.ts";
import { sha256 } from "./transfer/sha256.ts";

/** The client for browsers and other platforms with web APIs. */

export { verifyWebhook } from "./calls/webhooks.ts";
export { AnyformError, ConversionError } from "./http/errors.ts";
export type * from "./types.ts";

/** The client that `createClient` returns. */
export type Anyform = Client<WebInput, ConvertedFile>;

export const createClient = (settings: ClientSettings): Anyform =>
  clientOn({ open: openWebInput, result: (file) => file, hasher: sha256 }, settings);
