import { describe, expect, test } from "vitest";
import { askedHost, clientAddress } from "../../../functions/api/middleware/client-address.ts";
import type { ApiEvent } from "../../../functions/api/request.ts";
import { networksOf } from "../../../functions/domain/networks.ts";

const event = (headers: Record<string, string>): ApiEvent =>
  ({ headers, requestContext: { domainName: "api.test", http: { sourceIp: "192.0.2.1" } } }) as unknown as ApiEvent;
const forwarded = (list: string, more: Record<string, string> = {}) => event({ "x-forwarded-for": list, ...more });

describe("the address of a client", () => {
  test("is the address of the connection, whatever headers it sends", () => {
    expect(clientAddress(event({}), {})).toBe("192.0.2.1");
    expect(clientAddress(forwarded("203.0.113.9"), {})).toBe("192.0.2.1");
    expect(clientAddress(forwarded("203.0.113.9", { "x-anyform-edge": "" }), {})).toBe("192.0.2.1");
  });

  test.each([
    [1, "198.51.100.7, 203.0.113.9", "203.0.113.9"],
    [2, "198.51.100.7, 203.0.113.9", "198.51.100.7"],
    [3, "198.51.100.7, 203.0.113.9", "192.0.2.1"],
    [1, "1.1.1.1, 203.0.113.9:51820", "203.0.113.9"],
    [1, "[2001:db8::1]:51820", "2001:db8::1"],
    [1, "2001:db8::1", "2001:db8::1"],
    [1, "nonsense", "192.0.2.1"],
    [1, "", "192.0.2.1"],
  ])("is the address that connected to the last of %d trusted proxies: %s", (trustedProxies, list, address) => {
    expect(clientAddress(forwarded(list), { trustedProxies })).toBe(address);
  });

  test("is the address from the distribution if its secret is valid, and never a value from the client", () => {
    const trust = { edgeSecret: "s3cret" };
    const list = "6.6.6.6, 203.0.113.9, 192.0.2.1";
    expect(clientAddress(forwarded(list, { "x-anyform-edge": "s3cret" }), trust)).toBe("203.0.113.9");
    expect(clientAddress(forwarded("6.6.6.6, 203.0.113.9", { "x-anyform-edge": "s3cret" }), trust)).toBe("203.0.113.9");
    expect(clientAddress(forwarded(list, { "x-anyform-edge": "guess" }), trust)).toBe("192.0.2.1");
    expect(clientAddress(forwarded(list), trust)).toBe("192.0.2.1");
  });
});

test("the requested host is the value from the distribution if its secret is valid", () => {
  const headers = { "x-anyform-host": "files.example.com" };
  expect(askedHost(event(headers), {})).toBe("api.test");
  expect(askedHost(event({ ...headers, "x-anyform-edge": "guess" }), { edgeSecret: "s3cret" })).toBe("api.test");
  expect(askedHost(event({ ...headers, "x-anyform-edge": "s3cret" }), { edgeSecret: "s3cret" })).toBe(
    "files.example.com",
  );
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["64:ff9b::203.0.113.9", "64:ff9b:0:0::/64"],
])("the smallest network of %s is %s", (address, network) => {
  expect(networksOf(address)[0]).toEqual({ name: network, shares: 1 });
});

test("an IPv6 address also belongs to a /56 and a /48, which have the limits of several clients", () => {
  expect(networksOf("2001:db8:1:abcd::6")).toEqual([
    { name: "2001:db8:1:abcd::/64", shares: 1 },
    { name: "2001:db8:1:ab00::/56", shares: 4 },
    { name: "2001:db8:1::/48", shares: 16 },
  ]);
  expect(networksOf("2001:db8:1:ab01::6")[1]).toEqual({ name: "2001:db8:1:ab00::/56", shares: 4 });
  expect(networksOf("203.0.113.9")).toHaveLength(1);
});
