/** Packets of an MPEG transport stream (ISO/IEC 13818-1, 2.4), written by hand. */

const PACKET_BYTES = 188;

const packet = (pid: number, content: Buffer, begins = false): Buffer => {
  const bytes = Buffer.alloc(PACKET_BYTES, 0xff);
  bytes.set([0x47, (begins ? 0x40 : 0) | (pid >> 8), pid & 255, 0x10]);
  content.copy(bytes, 4);
  return bytes;
};

/** @returns packets of a stream that no table declares */
export const transportPackets = (count: number): Buffer =>
  Buffer.alloc(count * PACKET_BYTES, packet(0x100, Buffer.alloc(0)));

const check = (bytes: Buffer): number => {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0);
    }
  }
  return sum;
};

/** @returns a table in as many packets as needed */
const tableOf = (pid: number, table: number, program: number, content: Buffer): Buffer => {
  const length = 9 + content.length;
  const body = Buffer.concat([
    Buffer.from([table, 0xb0 | (length >> 8), length & 255, program >> 8, program & 255, 0xc1, 0, 0]),
    content,
  ]);
  const end = Buffer.alloc(4);
  end.writeInt32BE(check(body));
  const section = Buffer.concat([Buffer.from([0]), body, end]);
  const parts = Math.ceil(section.length / (PACKET_BYTES - 4));
  return Buffer.concat(
    Array.from({ length: parts }, (_, part) =>
      packet(pid, section.subarray(part * (PACKET_BYTES - 4), (part + 1) * (PACKET_BYTES - 4)), part === 0),
    ),
  );
};

const pair = (first: number, second: number): Buffer =>
  Buffer.from([first >> 8, first & 255, 0xe0 | (second >> 8), second & 255]);

/** @returns the tables of this number of programs and streams per program, without packets */
export const transportTables = (programs: number, streams: number): Buffer => {
  const numbers = Array.from({ length: programs }, (_, index) => index + 1);
  const list = tableOf(0, 0, 1, Buffer.concat(numbers.map((program) => pair(program, 0x20 + program))));
  const maps = numbers.map((program) => {
    const all = Array.from({ length: streams }, (_, index) => {
      const pid = 0x100 + ((program * streams + index) % 0x1e00);
      return Buffer.from([0x1b, 0xe0 | (pid >> 8), pid & 255, 0xf0, 0]);
    });
    return tableOf(0x20 + program, 2, program, Buffer.concat([Buffer.from([0xe1, 0, 0xf0, 0]), ...all.slice(0, 190)]));
  });
  return Buffer.concat([list, ...maps]);
};
