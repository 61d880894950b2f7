/** @returns the zip with each damage that hides its central directory */
export const damaged = (zip: Buffer): Record<"second half cut off" | "directory erased" | "end erased", Buffer> => {
  const erased = (at: number, bytes: number): Buffer => Buffer.from(zip).fill(0x41, at, at + bytes);
  return {
    "second half cut off": zip.subarray(0, Math.ceil(zip.length / 2)),
    "directory erased": erased(zip.indexOf("PK\u0001\u0002", 0, "latin1"), 40),
    "end erased": erased(zip.length - 22, 22),
  };
};
