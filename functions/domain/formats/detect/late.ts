/** Signatures that real files have after other bytes, where their readers also look for them. */

/** Bytes in which the header of a PDF must start (PDF 1.7, implementation note 13). */
const PDF_START_MAX = 1_024;

/**
 * @returns `pdf` or `cpio` for a PDF after other bytes, such as the headers of a mail or a web server, and for an archive
 * in cpio's binary format, whose signature alone is too short; empty for other content
 */
export const lateContents = (head: Uint8Array, tail: () => Uint8Array): string[] =>
  isLatePdf(head, tail) ? ["pdf"] : isBinaryCpio(head) ? ["cpio"] : [];

/** A text about PDF does not end like one. */
const isLatePdf = (head: Uint8Array, tail: () => Uint8Array): boolean =>
  /%PDF-\d\.\d/.test(latin1(head.subarray(0, PDF_START_MAX))) && /startxref\s+\d+\s+%%EOF/.test(latin1(tail()));

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

/** Offsets in the header of a member, in bytes: the size of its name, and the name. */
const CPIO = { magic: 0o070707, mode: 6, nameSize: 20, name: 26, nameMax: 1_024 };
/** File types of Unix: the upper bits of the mode. */
const FILE_TYPES: readonly number[] = [0o01, 0o02, 0o04, 0o06, 0o10, 0o12, 0o14];

/** Numbers of 16 bits in either byte order; the name ends with its only zero. */
const isBinaryCpio = (head: Uint8Array): boolean => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return [true, false].some((isLittle) => {
    const number = (at: number): number => (at + 2 <= view.byteLength ? view.getUint16(at, isLittle) : 0);
    const size = number(CPIO.nameSize);
    const end = CPIO.name + size - 1;
    return (
      number(0) === CPIO.magic &&
      FILE_TYPES.includes(number(CPIO.mode) >> 12) &&
      size > 1 &&
      size <= CPIO.nameMax &&
      head.indexOf(0, CPIO.name) === end
    );
  });
};
