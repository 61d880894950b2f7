/** @returns the text escaped for XML content and attributes, without the characters that XML 1.0 does not allow */
export const escapeXml = (text: string): string =>
  text
    .replaceAll("\u00ad", "")
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
