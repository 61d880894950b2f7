/** The network of an address: the owner of one IPv6 address has an entire /64 block. */

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;

/** @returns the first 64 bits of an IPv6 address; anything else unchanged */
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

/** A trailing IPv4 address replaces two groups, which are not part of the first 64 bits. */
const groupsOf = (text: string): string[] =>
  text === "" ? [] : text.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group]));
