import { type Anyform, AnyformError } from "../../../../client/index.ts";
import { aliasesOf, type ConversionReader, type SourceFormat, sourceFormatOf } from "../options/targets.ts";

/** Formats with their targets, requested one at a time: most people convert one format. */
export interface FormatLookup {
  /** @param alias an id, an extension or a media type @returns undefined for a format that cannot be converted */
  find(alias: string): Promise<SourceFormat | undefined>;
  /** @returns the likely format of a file, by its name and media type */
  guess(name: string, mediaType?: string): Promise<SourceFormat | undefined>;
}

/** Maximum cached lookups. Unknown extensions are cached as well, and file names can end in anything. */
const CACHED_MAX = 500;

export const formatLookup = (client: Pick<Anyform, "conversion" | "formats">): FormatLookup => {
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

const requestFormat = async (
  client: Pick<Anyform, "conversion" | "formats">,
  alias: string,
): Promise<SourceFormat | undefined> => {
  try {
    return sourceFormatOf(await client.formats({ source: alias }), readerOf(client));
  } catch (error) {
    if (error instanceof AnyformError && error.code === "invalid_request") {
      return undefined;
    }
    throw error;
  }
};

const readerOf = (client: Pick<Anyform, "conversion" | "formats">): ConversionReader => ({
  one: (source, target) => client.conversion(source, target),
  all: async (source) => (await client.formats({ source, conversions: true })).conversions ?? [],
});
