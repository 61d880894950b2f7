import { createHash } from "node:crypto";
import { type Client, clientOn } from "./client.ts";
import type { ClientSettings } from "./http/request.ts";
import { openNodeInput } from "./node/node-input.ts";
import { type SaveOptions, saveFile } from "./node/node-save.ts";
import type { ConvertedFile } from "./transfer/file.ts";
import type { WebInput } from "./transfer/input.ts";
import type { Hasher } from "./transfer/sha256.ts";

/** The client for Node. Also accepts file paths as inputs, and adds `save` to results. */

export { verifyWebhook } from "./calls/webhooks.ts";
export { AnyformError, ConversionError } from "./http/errors.ts";
export type { SaveOptions } from "./node/node-save.ts";
export type * from "./types.ts";

/** An input. A string is a path, or a URL that starts with http: or https:. */
export type Input = WebInput;

export interface SavableFile extends ConvertedFile {
  /** Writes the file atomically. @throws AnyformError `output_exists` @returns the path */
  save(path: string, options?: SaveOptions): Promise<string>;
}

/** The client that `createClient` returns. */
export type Anyform = Client<Input, SavableFile>;

export const createClient = (settings: ClientSettings): Anyform =>
  clientOn(
    {
      open: openNodeInput,
      result: (file) => ({ ...file, save: (path, options) => saveFile(file, path, options) }),
      hasher: nativeHasher,
    },
    settings,
  );

const nativeHasher = (): Hasher => {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest("hex") };
};
