/** The networks of an address, which limits count: the owner of one IPv6 address has an entire block of them. */

/** A network that contains an address. */
export interface Network {
  /** An IPv4 address, or an IPv6 network: `2001:db8:1:2::/64`. */
  readonly name: string;
  /** How many times the limit of one client applies to it. */
  readonly shares: number;
}

/**
 * The IPv6 blocks that one owner can have, by their number of 16-bit groups, and their shares. A /64 is one client. A
 * provider assigns a /56 or a /48 to a customer, or to several: they get the limits of 4 and of 16 clients, so that the
 * owner of a /48 does not have 65,536 times the limit.
 */
const BLOCKS = [
  { bits: 64, shares: 1 },
  { bits: 56, shares: 4 },
  { bits: 48, shares: 16 },
] as const;

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const GROUP_BITS = 16;

/** @returns the networks of an address, the smallest first; anything that is not an IPv6 address unchanged */
export const networksOf = (address: string): readonly Network[] => {
  const plain = address.replace(/%.*$/, "");
  const mapped = MAPPED.exec(plain)?.[1];
  if (mapped !== undefined || !plain.includes(":")) {
    return [{ name: mapped ?? plain, shares: 1 }];
  }
  const groups = allGroupsOf(plain);
  return BLOCKS.map(({ bits, shares }) => ({ name: `${prefixOf(groups, bits)}::/${bits}`, shares }));
};

/** Bits of an IPv4 address that the log has. */
const LOGGED_BYTES = 3;

/**
 * @returns the network of an address for the log: the first 24 bits of IPv4 and 48 of IPv6. It identifies a provider's
 * block, which a rate rule can name, but not a person. Empty for an unknown address: a log line fails no request
 */
export const loggedNetworkOf = (address: string | undefined): string => {
  const name = networksOf(address ?? "").at(-1)?.name ?? "";
  const bytes = name.split(".");
  return bytes.length === 4 ? `${bytes.slice(0, LOGGED_BYTES).join(".")}.0/24` : name;
};

const allGroupsOf = (address: string): readonly string[] => {
  const [head = "", tail] = address.toLowerCase().split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const gap = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length);
  return [...before, ...Array<string>(gap).fill("0"), ...after];
};

/** @returns the groups of the first bits, without leading zeros */
const prefixOf = (groups: readonly string[], bits: number): string =>
  groups
    .slice(0, Math.ceil(bits / GROUP_BITS))
    .map((group, index) => firstBits(group, Math.min(GROUP_BITS, bits - index * GROUP_BITS)))
    .join(":");

const firstBits = (group: string, bits: number): string => {
  const whole = group.replace(/^0+(?=.)/, "");
  const rest = GROUP_BITS - bits;
  return rest === 0 ? whole : ((Number.parseInt(whole, 16) >> rest) << rest).toString(16);
};

/** A trailing IPv4 address replaces two groups, which are not part of the first 64 bits. */
const groupsOf = (text: string): string[] =>
  text === "" ? [] : text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
