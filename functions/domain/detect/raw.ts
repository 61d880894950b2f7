const NEW_SUBFILE_TYPE = 254;
const DNG_VERSION = 50_706;
const IFD_ENTRIES_MAX = 200;

/**
 * Camera raw files (DNG, NEF, CR2, ARW, …) have the signature of TIFF, but their first picture is a thumbnail: read as
 * TIFF, that is all that would come out.
 *
 * @returns whether the first directory is that of a thumbnail or of a DNG (TIFF 6.0, section 8; DNG 1.7), or the bytes
 * have the mark of a CR2
 */
export const isCameraRaw = (head: Uint8Array): boolean => {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const order = view.toString("latin1", 0, 4);
  if (view.length < 10 || (order !== "II*\0" && order !== "MM\0*")) {
    return false;
  }
  const short = (at: number) => (order === "II*\0" ? view.readUInt16LE(at) : view.readUInt16BE(at));
  const long = (at: number) => (order === "II*\0" ? view.readUInt32LE(at) : view.readUInt32BE(at));
  const directory = long(4);
  const entries = directory + 2 > view.length ? 0 : Math.min(short(directory), IFD_ENTRIES_MAX);
  const marked = Array.from({ length: entries }, (_, index) => directory + 2 + index * 12).some((entry) => {
    const tag = entry + 12 > view.length ? 0 : short(entry);
    return tag === DNG_VERSION || (tag === NEW_SUBFILE_TYPE && (long(entry + 8) & 1) === 1);
  });
  return marked || view.toString("latin1", 8, 10) === "CR";
};
