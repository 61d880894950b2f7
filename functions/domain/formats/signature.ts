import type { Magic } from "./format.ts";

/** @returns a function that checks whether a file starts with all magics of any one list */
export const signatureOf = (lists: readonly (readonly Magic[])[]): ((head: Uint8Array) => boolean) => {
  const all = lists.map((magics) => magics.map(({ offset, hex }) => ({ offset, bytes: bytesOf(hex) })));
  return (head) =>
    all.some((magics) =>
      magics.every(({ offset, bytes }) => bytes.every((byte, index) => byte === -1 || head[offset + index] === byte)),
    );
};

/** @returns the bytes; -1 matches any byte */
const bytesOf = (hex: string): number[] =>
  hex.split(" ").map((byte) => (byte === "??" ? -1 : Number.parseInt(byte, 16)));
