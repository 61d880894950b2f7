/**
 * @returns the HEIC with a rotation property for its first item (`irot`, ISO/IEC 23008-12, 6.5.10), as phones write it
 * in addition to the EXIF tag. It expects the layout of heif-enc: `ipma` of version 0 with one entry, `iloc` of version
 * 0 with four-byte offsets.
 *
 * @param quarters counterclockwise turns of 90°
 */
export const withRotation = (heic: Buffer, quarters: number): Buffer => {
  const file = Buffer.from(heic);
  const start = (type: string): number => file.indexOf(type, 0, "latin1") - 4;
  const [meta, iloc, iprp, ipco, ipma] = ["meta", "iloc", "iprp", "ipco", "ipma"].map(start) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const count = file.readUInt8(ipma + 18);
  const properties = boxes(file, ipco).length;
  file.writeUInt8(count + 1, ipma + 18);
  const ESSENTIAL = 0x80;
  const irot = Buffer.from([0, 0, 0, 9, ...Buffer.from("irot"), quarters]);
  const association = Buffer.from([ESSENTIAL | (properties + 1)]);
  const growth = irot.length + association.length;
  for (const [box, bytes] of [
    [meta, growth],
    [iprp, growth],
    [ipco, irot.length],
    [ipma, association.length],
  ] as const) {
    file.writeUInt32BE(file.readUInt32BE(box) + bytes, box);
  }
  for (let item = 0; item < file.readUInt16BE(iloc + 14); item += 1) {
    const base = iloc + 16 + item * 18 + 4;
    file.writeUInt32BE(file.readUInt32BE(base) + growth, base);
  }
  const associationsEnd = ipma + 19 + count;
  return Buffer.concat([
    file.subarray(0, ipma),
    irot,
    file.subarray(ipma, associationsEnd),
    association,
    file.subarray(associationsEnd),
  ]);
};

/** @returns the offsets of the boxes within a box */
const boxes = (file: Buffer, box: number): number[] => {
  const starts: number[] = [];
  const end = box + file.readUInt32BE(box);
  for (let at = box + 8; at < end; at += file.readUInt32BE(at)) {
    starts.push(at);
  }
  return starts;
};
