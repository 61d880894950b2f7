import { constants } from "node:os";
import { CHECKED_CALLS, MISSING_CALLS, REFUSED_CALLS } from "./system-calls.ts";

/**
 * A seccomp filter in classic BPF (seccomp(2), `linux/filter.h`): it allows all system calls except those of
 * `system-calls.ts`. Both processors are little-endian, so the low half of an argument comes first.
 */

/** Processors with a filter, and their `AUDIT_ARCH` (`linux/audit.h`). */
const AUDIT_ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

type Processor = keyof typeof AUDIT_ARCHITECTURES;

interface Instruction {
  readonly code: number;
  /** Instructions to skip when the comparison is true, and when it is false. */
  readonly ifTrue?: number;
  readonly ifFalse?: number;
  readonly value: number;
}

/** Instruction codes: load a word of the call, compare, test bits, return. */
const [LOAD, IS_EQUAL, IS_GREATER, HAS_BITS, RETURN] = [0x20, 0x15, 0x25, 0x45, 0x06];

/** Offsets in `struct seccomp_data`. */
const [NUMBER_AT, ARCHITECTURE_AT] = [0, 4];
const argumentAt = (index: number): number => 16 + 8 * index;

const load = (value: number): Instruction => ({ code: LOAD, value });
const give = (value: number): Instruction => ({ code: RETURN, value });

const ALLOW = give(0x7fff_0000);
const failWith = (error: number): Instruction => give(0x0005_0000 + error);
const REFUSE = failWith(constants.errno.EPERM);
const MISSING = failWith(constants.errno.ENOSYS);

/** Executes the instructions when the loaded word equals the value. */
const when = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: IS_EQUAL, value, ifFalse: then.length },
  ...then,
];

/** The flags of clone(2) and unshare(2) that create namespaces, without CLONE_NEWTIME, which clone does not have. */
const NAMESPACES = 0x7e02_0000;
const NEW_TIME_NAMESPACE = 0x80;

const refuseBits = (argument: number, bits: number): readonly Instruction[] => [
  load(argumentAt(argument)),
  { code: HAS_BITS, value: bits, ifFalse: 1 },
  REFUSE,
  ALLOW,
];

const refuseValues = (argument: number, values: readonly number[]): readonly Instruction[] => [
  load(argumentAt(argument)),
  ...values.flatMap((value) => when(value, [REFUSE])),
  ALLOW,
];

const allowValues = (argument: number, values: readonly number[], otherwise: Instruction): readonly Instruction[] => [
  load(argumentAt(argument)),
  ...values.flatMap((value) => when(value, [ALLOW])),
  otherwise,
];

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK: network namespaces do not isolate all others, such as AF_VSOCK. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** TIOCSTI and TIOCLINUX write into the input of a terminal. */
const TERMINAL_INPUTS = [0x5412, 0x541c];
/** PER_LINUX, and the query of the current one. */
const PERSONALITIES = [0, 0xffff_ffff];

const CHECKS: Readonly<Record<keyof typeof CHECKED_CALLS, readonly Instruction[]>> = {
  clone: refuseBits(0, NAMESPACES),
  unshare: refuseBits(0, NAMESPACES + NEW_TIME_NAMESPACE),
  socket: allowValues(0, SOCKET_FAMILIES, failWith(constants.errno.EAFNOSUPPORT)),
  ioctl: refuseValues(1, TERMINAL_INPUTS),
  personality: allowValues(0, PERSONALITIES, REFUSE),
};

/** The numbers of x86-64's second interface, x32, which would circumvent the filter. */
const X32_FROM = 0x4000_0000;

/** @returns the filter for bwrap's `--seccomp`; undefined for other processors */
export const seccompFilter = (processor: string = process.arch): Buffer | undefined =>
  processor === "x64" || processor === "arm64" ? assembled(filterFor(processor)) : undefined;

const filterFor = (processor: Processor): readonly Instruction[] => {
  const numbersOf = (calls: typeof REFUSED_CALLS): number[] =>
    Object.values(calls).flatMap(({ [processor]: number }) => (number === undefined ? [] : [number]));
  const checks = (Object.keys(CHECKS) as (keyof typeof CHECKS)[]).flatMap((name) =>
    when(CHECKED_CALLS[name][processor], CHECKS[name]),
  );
  return [
    load(ARCHITECTURE_AT),
    // Another architecture's calls, such as those of 32-bit programs, have other numbers.
    { code: IS_EQUAL, value: AUDIT_ARCHITECTURES[processor], ifTrue: 1 },
    MISSING,
    load(NUMBER_AT),
    { code: IS_GREATER, value: X32_FROM - 1, ifFalse: 1 },
    MISSING,
    ...numbersOf(REFUSED_CALLS).flatMap((number) => when(number, [REFUSE])),
    ...numbersOf(MISSING_CALLS).flatMap((number) => when(number, [MISSING])),
    ...checks,
    ALLOW,
  ];
};

/** @returns the instructions as `struct sock_filter` */
const assembled = (instructions: readonly Instruction[]): Buffer =>
  Buffer.concat(
    instructions.map(({ code, ifTrue = 0, ifFalse = 0, value }) => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16LE(code, 0);
      bytes.writeUInt8(ifTrue, 2);
      bytes.writeUInt8(ifFalse, 3);
      bytes.writeUInt32LE(value, 4);
      return bytes;
    }),
  );
