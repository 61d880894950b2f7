import { describe, expect, test } from "vitest";
import { allowedEntry, isPublicAddress, reachable } from "../../functions/outbound/addresses.ts";

describe("an address for connections on behalf of a client", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.15.0.1",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
  ])("may be %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.5",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "::8.8.8.8",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:a00:1::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "localhost",
    "",
    "1.2.3",
  ])("is never %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test("may be one that the operator allows, but no other private one", () => {
    const reaches = reachable(["127.0.0.1", "10.1.0.0/16", "fd00::/8"]);
    expect(["127.0.0.1", "10.1.255.3", "fd12::1", "8.8.8.8"].map((each) => reaches(each, 80))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["127.0.0.2", "10.2.0.1", "fe80::1", "example.com"].map((each) => reaches(each, 80))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test("may be one port of an address that the operator allows, and no other port", () => {
    const reaches = reachable(["127.0.0.1:8000", "[::1]:8000", "10.0.0.0/8:81"]);
    expect([reaches("127.0.0.1", 8_000), reaches("::1", 8_000), reaches("10.9.9.9", 81)]).toEqual([true, true, true]);
    expect([reaches("127.0.0.1", 80), reaches("::1", 8_001), reaches("10.9.9.9", 80)]).toEqual([false, false, false]);
  });

  test.each(["localhost", "127.0.0.1/33", "127.0.0.1:99999", "::1/129", "127.0.0.1:", "[::1", ""])(
    "is never allowed by the entry %j",
    (entry) => {
      expect(allowedEntry(entry)).toBeUndefined();
    },
  );
});
