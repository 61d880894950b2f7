/** The network that an address belongs to: whoever has one address of IPv6 has a whole /64 of them. */

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;

/** @returns an IPv4 address as it is, of an IPv6 address its first 64 bits; what is neither as it is */
export const networkOf = (address: string): string => {
  const plain = address.replace(/%.*$/, "");
  const mapped = MAPPED.exec(plain)?.[1];
  if (mapped !== undefined || !plain.includes(":")) {
    return mapped ?? plain;
  }
  const [head = "", tail] = plain.toLowerCase().split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const gap = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array<string>(gap).fill("0"), ...after].slice(0, GROUPS / 2);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
};

/** An IPv4 address at the end stands for two groups, which lie behind the first 64 bits. */
const groupsOf = (text: string): string[] =>
  text === "" ? [] : text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
