/** Characters of an address that the service takes (IMPORT_URL_CHARACTERS_MAX of its limits). */
const ADDRESS_CHARACTERS_MAX = 2_048;

/** @returns the one address on the web that the text is, as a whole URL; undefined for all else */
export const webAddress = (text: string): string | undefined => {
  const trimmed = text.trim();
  if (!/^https?:\/\/\S+$/i.test(trimmed) || trimmed.length > ADDRESS_CHARACTERS_MAX || !URL.canParse(trimmed)) {
    return undefined;
  }
  return new URL(trimmed).href;
};
