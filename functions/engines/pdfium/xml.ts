/** @returns the text as it may stand in XML, between tags and in attributes: without what XML 1.0 does not allow */
export const escapeXml = (text: string): string =>
  text
    .replaceAll("\u00ad", "")
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
