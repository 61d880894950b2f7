import { type Anyform, AnyformError } from "../../../../client/index.ts";
import { aliasesOf, type SourceFormat, sourceFormatOf } from "../options/targets.ts";

/** Formats with their targets, requested one at a time: the full list has thousands of conversions. */
export interface FormatLookup {
  /** @param alias an id, an extension or a media type @returns undefined for a format that cannot be converted */
  find(alias: string): Promise<SourceFormat | undefined>;
  /** @returns the likely format of a file, by its name and media type */
  guess(name: string, mediaType?: string): Promise<SourceFormat | undefined>;
}

/** Maximum cached lookups. Unknown extensions are cached as well, and file names can end in anything. */
const CACHED_MAX = 500;

export const formatLookup = (client: Pick<Anyform, "formats">): FormatLookup => {
  const cache = new Map<string, Promise<SourceFormat | undefined>>();
  const find = (alias: string): Promise<SourceFormat | undefined> => {
    const known = cache.get(alias);
    if (known !== undefined) {
      return known;
    }
    const found = requestFormat(client, alias);
    if (cache.size < CACHED_MAX) {
      cache.set(alias, found);
      // Failed lookups are retried the next time.
      found.catch(() => cache.delete(alias));
    }
    return found;
  };
  const guess = async (name: string, mediaType?: string): Promise<SourceFormat | undefined> => {
    for (const alias of aliasesOf(name, mediaType)) {
      const format = await find(alias);
      if (format !== undefined) {
        return format;
      }
    }
    return undefined;
  };
  return { find, guess };
};

const requestFormat = async (client: Pick<Anyform, "formats">, alias: string): Promise<SourceFormat | undefined> => {
  try {
    return sourceFormatOf(await client.formats({ source: alias }));
  } catch (error) {
    if (error instanceof AnyformError && error.code === "invalid_request") {
      return undefined;
    }
    throw error;
  }
};
