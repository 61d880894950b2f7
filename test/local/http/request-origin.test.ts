import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { type OriginRules, requestOrigin } from "../../../local/http/request-origin.ts";
import { readSettings } from "../../../local/settings.ts";

const request = (
  host: string | undefined,
  headers: Record<string, string> = {},
  localAddress = "127.0.0.1",
): IncomingMessage =>
  ({ headers: { host, ...headers }, socket: { localAddress, localPort: 8080 } }) as unknown as IncomingMessage;

const rules = (more: Partial<OriginRules> = {}): OriginRules => ({
  hosts: [],
  trustedProxies: 0,
  listensOn: "127.0.0.1",
  machineHosts: () => ["files", "files.local", "192.168.1.5", "fd00::5"],
  ...more,
});

const hostOf = (more: Partial<OriginRules>, ...args: Parameters<typeof request>): string =>
  requestOrigin(rules(more))(request(...args)).host;

describe("the host in URLs", () => {
  it.each(["localhost:8080", "localhost", "app.localhost:3000", "127.0.0.1:8080", "127.0.0.2", "[::1]:8080"])(
    "is the requested one if that is a loopback host: %s",
    (host) => {
      expect(hostOf({}, host)).toBe(host);
    },
  );

  it.each([
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "192.168.1.5:8080",
    "files:8080",
    "203.0.113.9",
    "evil.example/localhost",
    "localhost@evil.example",
    "localhost\\@evil.example",
    "",
    undefined,
  ])("is the address that was connected to for %s, when the service listens on loopback", (host) => {
    expect(hostOf({}, host)).toBe("127.0.0.1:8080");
  });

  it.each(["192.168.1.5:8080", "FILES:8080", "files.local", "[fd00::5]:8080", "localhost:8080"])(
    "is %s if that is this machine, and the service listens on all addresses",
    (host) => {
      expect(hostOf({ listensOn: "0.0.0.0" }, host, {}, "192.168.1.5")).toBe(host.toLowerCase());
      expect(hostOf({ listensOn: "::" }, host, {}, "::ffff:192.168.1.5")).toBe(host.toLowerCase());
    },
  );

  it("is the address that was connected to, if the requested one is unknown", () => {
    const wildcard = { listensOn: "::" };
    expect(hostOf(wildcard, "evil.example", {}, "::ffff:192.168.1.5")).toBe("192.168.1.5:8080");
    expect(hostOf(wildcard, "203.0.113.9", {}, "fd00::5")).toBe("[fd00::5]:8080");
    expect(hostOf(wildcard, "evil.example", {}, "fe80::1%eth0")).toBe("[fe80::1]:8080");
  });

  it("is one that the operator listed", () => {
    const { hosts } = readSettings({ ANYFORM_HOSTS: "files.example.com, other.example" });
    expect(hostOf({ hosts }, "Files.Example.com:8443")).toBe("files.example.com:8443");
    expect(hostOf({ hosts }, "files.example.com.")).toBe("files.example.com.");
    expect(hostOf({ hosts }, "www.files.example.com")).toBe("127.0.0.1:8080");
  });

  it.each(["https://files.example.com", "files.example.com:8443", "a b"])("cannot be listed as %s", (host) => {
    expect(() => readSettings({ ANYFORM_HOSTS: host })).toThrow("without a port");
  });
});

describe("the scheme in URLs", () => {
  it.each([
    [0, "https", "http"],
    [1, "https", "https"],
    [1, "http", "http"],
    [1, "http, https", "https"],
    [1, "https, http", "http"],
    [2, "https, http", "https"],
    [2, "https", "https"],
    [1, "ftp", "http"],
    [1, "", "http"],
  ])("is, with %d trusted proxies and X-Forwarded-Proto %o, %s", (trustedProxies, value, protocol) => {
    const origin = requestOrigin(rules({ trustedProxies }));
    expect(origin(request("localhost", { "x-forwarded-proto": value })).protocol).toBe(protocol);
  });
});
