import { BlockList, isIP } from "node:net";

/**
 * Restricts connections for clients to public internet addresses. Rejects the special-purpose registries of IANA (RFC
 * 6890 and its successors), multicast, and IPv6 addresses that embed an IPv4 address, which a translator could route to
 * a different destination.
 */

const REFUSED_IPV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local; cloud metadata services use 169.254.169.254 and neighboring addresses.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/** Exceptions within global unicast, 2000::/3. */
const REFUSED_IPV6 = [
  // Teredo, ORCHID, benchmarking and other protocol assignments.
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 embeds an IPv4 address.
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const;

const listOf = (rows: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of rows) {
    list.addSubnet(network, prefix, family);
  }
  return list;
};

const refused4 = listOf(REFUSED_IPV4, "ipv4");
const refused6 = listOf(REFUSED_IPV6, "ipv6");
const global6 = listOf([["2000::", 3]], "ipv6");

/** @returns whether the address is public */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !refused4.check(address, "ipv4");
    case 6:
      return global6.check(address, "ipv6") && !refused6.check(address, "ipv6");
    default:
      return false;
  }
};

/** Whether connections to a port of an address are allowed. */
export type Reaches = (address: string, port: number) => boolean;

/** An address or network that the operator allows, and its only allowed port, if it names one. */
export interface AllowedEntry {
  readonly network: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
  readonly port: number | undefined;
}

const ENTRY =
  /^(?:\[(?<bracketed>[0-9a-f:.]+)\]|(?<plain>[0-9a-f:.]+?))(?:\/(?<prefix>\d{1,3}))?(?::(?<port>\d{1,5}))?$/i;

/** @returns the parts of `10.1.0.0/16`, `127.0.0.1:8080` or `[::1]:8080`; undefined if it is not an address or network */
export const allowedEntry = (text: string): AllowedEntry | undefined => {
  const isPlain6 = isIP(text.split("/")[0] ?? "") === 6;
  const [network = "", prefixOfPlain] = isPlain6 ? text.split("/") : [];
  const groups = isPlain6 ? undefined : ENTRY.exec(text)?.groups;
  const address = isPlain6 ? network : (groups?.bracketed ?? groups?.plain ?? "");
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const prefix = Number(prefixOfPlain ?? groups?.prefix ?? bits);
  const port = groups?.port === undefined ? undefined : Number(groups.port);
  return version === 0 || !(prefix <= bits) || (port ?? 0) > 65_535
    ? undefined
    : { network: address, prefix, family: version === 6 ? "ipv6" : "ipv4", port };
};

/**
 * @param allowed addresses and networks (`10.1.0.0/16`, `127.0.0.1`, `127.0.0.1:8080`) that the operator allows in
 * addition to public ones; without a port, all ports
 * @returns a predicate for allowed addresses and ports
 */
export const reachable = (allowed: readonly string[]): Reaches => {
  const lists = allowed.flatMap((text) => {
    const entry = allowedEntry(text);
    if (entry === undefined) {
      return [];
    }
    const list = new BlockList();
    list.addSubnet(entry.network, entry.prefix, entry.family);
    return [{ list, port: entry.port }];
  });
  return (address, port) => {
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const isAllowed = (entry: (typeof lists)[number]) =>
      (entry.port === undefined || entry.port === port) && entry.list.check(address, family);
    return isPublicAddress(address) || (isIP(address) !== 0 && lists.some(isAllowed));
  };
};
