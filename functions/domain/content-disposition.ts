/**
 * The header that makes browsers save a file under its name (RFC 6266). Old clients read `filename`, which is limited
 * to ASCII; all others read `filename*`, which contains the complete name in UTF-8 (RFC 8187).
 *
 * @param filename any text: the value is always safe in a header
 */
export const attachment = (filename: string): string => {
  const name = filename.toWellFormed();
  return `attachment; filename="${asciiName(name)}"; filename*=UTF-8''${encodeExtended(name)}`;
};

/** @returns the filename in a `Content-Disposition` header; undefined when there is none, or it cannot be decoded */
export const filenameIn = (header: string): string | undefined => {
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      return undefined;
    }
  }
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? token;
};

/** Some clients decode `%41` and undo backslashes here, others do not (RFC 6266, appendix D), so none are left. */
const asciiName = (name: string): string => name.replace(/[^ -~]|["\\%]/gu, "_");

/** `encodeURIComponent` leaves four characters that RFC 8187, 3.2.1 does not allow. */
const encodeExtended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
