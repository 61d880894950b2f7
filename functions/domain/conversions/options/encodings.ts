/** Names of text encodings (WHATWG Encoding Standard, 4.2), for suggestions; the decoder also accepts other labels. */
export const encodingNames = [
  ...["utf-8", "utf-16", "utf-16le", "utf-16be", "ascii", "latin1", "ibm866", "macintosh", "x-mac-cyrillic"],
  ...["iso-8859-1", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8"],
  ...["iso-8859-9", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u"],
  ...["windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255"],
  ...["windows-1256", "windows-1257", "windows-1258", "gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis"],
  ...["euc-kr"],
];

/** @returns whether the readers have a decoder of this name: exactly the encodings of their decoder are accepted */
export const isEncoding = (name: string): boolean => {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
};
