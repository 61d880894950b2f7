import { type Anyform, AnyformError } from "../../../client/index.ts";
import { aliasesOf, type SourceFormat, sourceFormatOf } from "./targets.ts";

/** What the service knows of formats, asked for one at a time: the whole list has thousands of conversions. */
export interface FormatLookup {
  /** @param alias an id, an extension or a media type @returns undefined for one that nothing can be made of here */
  find(alias: string): Promise<SourceFormat | undefined>;
  /** @returns the format that a file seems to have by its name */
  guess(name: string, mediaType?: string): Promise<SourceFormat | undefined>;
}

/** Names end in anything; what none of our formats ends in is asked for once, too. */
const KEPT_MAX = 500;

export const formatLookup = (client: Pick<Anyform, "formats">): FormatLookup => {
  const kept = new Map<string, Promise<SourceFormat | undefined>>();
  const find = (alias: string): Promise<SourceFormat | undefined> => {
    const known = kept.get(alias);
    if (known !== undefined) {
      return known;
    }
    const found = ask(client, alias);
    if (kept.size < KEPT_MAX) {
      kept.set(alias, found);
      // What failed on the way is asked for again.
      found.catch(() => kept.delete(alias));
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

const ask = async (client: Pick<Anyform, "formats">, alias: string): Promise<SourceFormat | undefined> => {
  try {
    return sourceFormatOf(await client.formats({ source: alias }));
  } catch (error) {
    if (error instanceof AnyformError && error.code === "invalid_request") {
      return undefined;
    }
    throw error;
  }
};
