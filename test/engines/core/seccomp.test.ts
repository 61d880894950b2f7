import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { seccompFilter } from "../../../functions/engines/core/sandbox/seccomp.ts";
import { CHECKED_CALLS, MISSING_CALLS, REFUSED_CALLS } from "../../../functions/engines/core/sandbox/system-calls.ts";

/** The filter of each processor, run by an interpreter of classic BPF, so that both are tested on every machine. */

const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const ALLOWED = 0x7fff0000;
const failed = (code: keyof typeof constants.errno): number => 0x50000 + constants.errno[code];

interface Call {
  readonly number: number;
  readonly architecture: number;
  readonly arguments?: readonly number[];
}

const outcomeOf = (filter: Buffer, call: Call): number => {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture, 4);
  for (const [index, value] of (call.arguments ?? []).entries()) {
    data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  }
  let word = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    const code = filter.readUInt16LE(at);
    const jump = (isTrue: boolean): number => 8 * filter.readUInt8(at + (isTrue ? 2 : 3));
    switch (code) {
      case 0x20:
        word = data.readUInt32LE(value);
        break;
      case 0x15:
        at += jump(word === value);
        break;
      case 0x25:
        at += jump(word > value);
        break;
      case 0x45:
        at += jump((word & value) !== 0);
        break;
      case 0x06:
        return value;
      default:
        throw new Error(`Unknown instruction ${code}.`);
    }
  }
  throw new Error("The filter does not end.");
};

describe.each(["x64", "arm64"] as const)("the filter for system calls on %s", (processor) => {
  const filter = seccompFilter(processor) ?? Buffer.alloc(0);
  const architecture = ARCHITECTURES[processor];
  const call = (number: number, ...args: number[]): number =>
    outcomeOf(filter, { number, architecture, arguments: args });

  test("refuses what no engine needs, and allows everything else", () => {
    const expected = new Map<number, number>();
    for (const { [processor]: number } of Object.values(REFUSED_CALLS)) {
      expected.set(number ?? -1, failed("EPERM"));
    }
    for (const { [processor]: number } of Object.values(MISSING_CALLS)) {
      expected.set(number ?? -1, failed("ENOSYS"));
    }
    const checked: number[] = Object.values(CHECKED_CALLS).map((numbers) => numbers[processor]);
    const numbers = Array.from({ length: 500 }, (_, number) => number).filter((number) => !checked.includes(number));
    const found = numbers.filter((number) => call(number) !== (expected.get(number) ?? ALLOWED));
    expect(found).toEqual([]);
    expect(expected.size).toBeGreaterThan(50);
  });

  test("allows threads and processes, but no new namespaces", () => {
    const { clone, unshare } = CHECKED_CALLS;
    const [THREAD, NEW_USER, NEW_NETWORK, NEW_TIME, FILES] = [0x3d0f00, 0x10000000, 0x40000000, 0x80, 0x400];
    expect(call(clone[processor], THREAD)).toBe(ALLOWED);
    expect(call(clone[processor], constants.signals.SIGCHLD)).toBe(ALLOWED);
    expect(call(unshare[processor], FILES)).toBe(ALLOWED);
    for (const flag of [NEW_USER, NEW_NETWORK, NEW_USER + THREAD]) {
      expect(call(clone[processor], flag)).toBe(failed("EPERM"));
      expect(call(unshare[processor], flag)).toBe(failed("EPERM"));
    }
    expect(call(unshare[processor], NEW_TIME)).toBe(failed("EPERM"));
  });

  test("allows sockets that a network namespace isolates, and no other family", () => {
    const { socket } = CHECKED_CALLS;
    const [UNIX, INTERNET, INTERNET_6, NETLINK, PACKET, CRYPTO, VIRTUAL_MACHINE] = [1, 2, 10, 16, 17, 38, 40];
    for (const family of [UNIX, INTERNET, INTERNET_6, NETLINK]) {
      expect(call(socket[processor], family)).toBe(ALLOWED);
    }
    for (const family of [PACKET, CRYPTO, VIRTUAL_MACHINE]) {
      expect(call(socket[processor], family)).toBe(failed("EAFNOSUPPORT"));
    }
  });

  test("refuses to write into a terminal, and other personalities", () => {
    const { ioctl, personality } = CHECKED_CALLS;
    expect(call(ioctl[processor], 0, 0x5413)).toBe(ALLOWED);
    expect(call(ioctl[processor], 0, 0x5412)).toBe(failed("EPERM"));
    expect(call(ioctl[processor], 0, 0x541c)).toBe(failed("EPERM"));
    expect(call(personality[processor], 0xffffffff)).toBe(ALLOWED);
    expect(call(personality[processor], 8)).toBe(failed("EPERM"));
  });

  test("reports the calls of other architectures as missing", () => {
    expect(outcomeOf(filter, { number: 0, architecture: 0x40000003 })).toBe(failed("ENOSYS"));
    expect(call(0x40000000)).toBe(failed("ENOSYS"));
  });
});

test("other processors have no filter", () => {
  expect(seccompFilter("riscv64")).toBeUndefined();
});
