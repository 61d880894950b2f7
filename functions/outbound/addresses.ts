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

/**
 * @param allowed addresses and networks (`10.1.0.0/16`, `127.0.0.1`) that the operator allows in addition to public ones
 * @returns a predicate for allowed addresses
 */
export const reachable = (allowed: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const entry of allowed) {
    const [network = "", prefix] = entry.split("/");
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(network, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return (address) =>
    isPublicAddress(address) || (isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"));
};
