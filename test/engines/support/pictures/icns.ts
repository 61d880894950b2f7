/** @returns the PNG of the largest part in an Apple icon, by the size in the PNG header */
export const largestPng = (file: Buffer): Buffer => {
  const pictures: Buffer[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    pictures.push(file.subarray(at + 8, at + file.readUInt32BE(at + 4)));
  }
  const [largest] = pictures.toSorted((one, other) => other.readUInt32BE(16) - one.readUInt32BE(16));
  if (largest === undefined || file.toString("latin1", 0, 4) !== "icns" || file.readUInt32BE(4) !== file.length) {
    throw new Error("Not a complete Apple icon.");
  }
  return largest;
};
