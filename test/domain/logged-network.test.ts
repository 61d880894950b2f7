import { expect, test } from "vitest";
import { loggedNetworkOf } from "../../functions/domain/networks.ts";

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["fe80::1%eth0", "fe80:0:0::/48"],
  [undefined, ""],
])("the log has the network of %s, not the address", (address, network) => {
  expect(loggedNetworkOf(address)).toBe(network);
});
