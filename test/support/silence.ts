import { truncate, writeFile } from "node:fs/promises";

/** Bytes before the samples of a WAV file. */
const HEADER_BYTES = 44;

/**
 * Writes a WAV file of silence, 16 bits, two channels, 44,100 Hz. It is a sparse file: any size, without using disk
 * space.
 */
export const writeSilence = async (path: string, bytes: number): Promise<void> => {
  await writeFile(path, headerOf(bytes));
  await truncate(path, bytes);
};

/** @returns the same in memory */
export const silence = (bytes: number): Buffer => Buffer.concat([headerOf(bytes)], bytes);

const headerOf = (bytes: number): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(bytes - 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(44_100, 24);
  header.writeUInt32LE(176_400, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(bytes - HEADER_BYTES, 40);
  return header;
};
