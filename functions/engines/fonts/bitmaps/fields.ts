/** Numbers of a font, in big-endian order. */
const fields =
  (bytes: number, write: (out: Buffer, value: number, at: number) => void) =>
  (...values: readonly number[]): Buffer => {
    const out = Buffer.alloc(values.length * bytes);
    for (const [index, value] of values.entries()) {
      write(out, value, index * bytes);
    }
    return out;
  };

export const u16 = fields(2, (out, value, at) => out.writeUInt16BE(value, at));
export const i16 = fields(2, (out, value, at) => out.writeInt16BE(Math.round(value), at));
export const u32 = fields(4, (out, value, at) => out.writeUInt32BE(value, at));
