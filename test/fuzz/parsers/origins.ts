import { isIP } from "node:net";
import { ownPath } from "../../../dashboard/next.ts";
import { askedHost, clientAddress, isFromEdge } from "../../../functions/api/middleware/client-address.ts";
import { idempotencyOf } from "../../../functions/api/middleware/idempotency.ts";
import { checkSameOrigin } from "../../../functions/api/middleware/same-origin.ts";
import type { ApiEvent } from "../../../functions/api/request.ts";
import { cleanText } from "../../../functions/domain/clean-text.ts";
import { networksOf } from "../../../functions/domain/networks.ts";
import { deviceOf } from "../../../functions/domain/sessions/devices.ts";
import { isPublicAddress, reachable } from "../../../functions/outbound/addresses.ts";
import type { Random } from "../../support/random.ts";
import { requestOf } from "../../support/world/requests.ts";
import { broken, type Parser, refusing } from "../parser.ts";

/** The origin of a request, and what it claims. */

const SOURCE = "192.0.2.7";
const SECRET = "edge-secret";

const eventOf = (headers: Record<string, string | undefined>): Pick<ApiEvent, "headers" | "requestContext"> => {
  const http = { method: "GET", path: "/", protocol: "", sourceIp: SOURCE, userAgent: "" };
  const requestContext = { ...CONTEXT, domainName: "api.example", http };
  return { headers, requestContext };
};
const CONTEXT = {
  ...{ accountId: "", apiId: "", domainPrefix: "", requestId: "", routeKey: "", stage: "", time: "", timeEpoch: 0 },
};

/**
 * The client's address is a valid address, and without a trusted proxy it is the address of the connection. Its network
 * does not depend on its notation. No name of a private network counts as public.
 */
const holdAddress = (input: Buffer): void => {
  const text = input.toString("latin1");
  const [first = "", second = ""] = text.split("\n");
  const event = eventOf({ "x-forwarded-for": first, "x-anyform-edge": second, "x-anyform-host": text });
  for (const trust of [{}, { trustedProxies: 1 }, { trustedProxies: 3 }, { edgeSecret: SECRET }]) {
    const address = clientAddress(event, trust);
    const isForwarded = Object.keys(trust).length > 0 && (!("edgeSecret" in trust) || second === SECRET);
    if (isIP(address) === 0 || (!isForwarded && address !== SOURCE)) {
      throw broken("A client's address comes from the connection or from a trusted proxy", [trust, address]);
    }
    for (const { name } of networksOf(address)) {
      if (isIP(name.replace(/\/(?:64|56|48)$/, "")) === 0) {
        throw broken("An address belongs to networks", [address, name]);
      }
    }
  }
  if (isFromEdge(event.headers, { edgeSecret: SECRET }) !== (second === SECRET)) {
    throw broken("Only the distribution knows the secret", second);
  }
  askedHost(event, { edgeSecret: SECRET });
  networksOf(text);
  const host = URL.parse(`http://${first}/`)?.hostname.replace(/^\[|\]$/g, "") ?? first;
  if (PRIVATE.test(host) && (isPublicAddress(host) || reachable(["8.8.8.8"])(host, 443))) {
    throw broken("A private address is not a public one", host);
  }
};

/** As `URL` writes them: the loopback, private and link-local networks of IPv4, and all of IPv6 except 2000::/3. */
const PRIVATE =
  /^(?:127|10|0|22[4-9]|2[3-5]\d)\.[\d.]+$|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^(?:::|::1|f[cde][\da-f]*:.*|::ffff:.*|64:ff9b:.*|2002:.*)$/;

const ADDRESSES = [
  "1.2.3.4",
  "[2001:db8::1]:443",
  "::ffff:10.0.0.1",
  "fe80::1%eth0",
  "10.0.0.1",
  "0x7f.1",
  "2130706433",
];
const ODD = ["::", "1::2::3", "[", "]", "%", "999.1.1.1", "unknown", "_hidden", 'for="[::1]"', "", " ", "1.2.3.4:80"];

const changedAddresses = (_: Buffer, random: Random): Buffer => {
  const group = (): string => random.pick(["0", "1", "ffff", "db8", "", "00001", "1.2.3.4", "2001", "fe80", "g"]);
  const made = (): string =>
    random.pick([
      () => random.pick(ADDRESSES),
      () => random.pick(ODD),
      () => Array.from({ length: random.below(10) }, group).join(":"),
      () =>
        Array.from({ length: random.below(6) }, () =>
          random.pick(["0", "127", "10", "255", "256", "010", "0x7f"]),
        ).join("."),
    ])();
  const list = Array.from({ length: 1 + random.below(4) }, made).join(random.pick([",", ", ", " ,"]));
  return Buffer.from(`${list}\n${random.pick([SECRET, SECRET, "x", `${SECRET} `])}`);
};

/** A device name only contains known words, and a redirect path never leads to another host. */
const holdWords = (input: Buffer): void => {
  const text = input.toString();
  if (!/^[\w ]+$/.test(deviceOf(text))) {
    throw broken("A device name consists of known words", deviceOf(text));
  }
  const clean = cleanText(text);
  if (cleanText(clean) !== clean || /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(clean)) {
    throw broken("Clean text stays unchanged", clean);
  }
  const path = ownPath(text);
  if (path !== undefined && new URL(path, "https://a.example").origin !== "https://a.example") {
    throw broken("A redirect stays on the pages", path);
  }
  const request = { ...requestOf(undefined), accountId: "acc_1" };
  refusing(() => idempotencyOf({ ...request, headers: { "idempotency-key": text } }, "createJob", text));
  for (const headers of [{ origin: text }, { "sec-fetch-site": text }, { origin: text, "sec-fetch-site": "none" }]) {
    const isOwn = refusing(() => checkSameOrigin({ ...request, headers }) ?? true) === true;
    if (isOwn && text !== "http://localhost" && text !== "same-origin") {
      throw broken("A page of another origin changes nothing", headers);
    }
  }
};

export const originParsers: readonly Parser[] = [
  {
    name: "addresses",
    sources: [
      "functions/api/middleware/client-address.ts",
      "functions/domain/networks.ts",
      "functions/outbound/addresses.ts",
    ],
    samples: () => [...ADDRESSES, `1.2.3.4, 5.6.7.8:90, [::1]\n${SECRET}`],
    words: [",", ":", "::", ".", "[", "]", "%", "0x", "ffff", " ", "\n"],
    change: changedAddresses,
    hold: holdAddress,
  },
  {
    name: "words",
    sources: [
      "functions/domain/sessions/devices.ts",
      "functions/domain/clean-text.ts",
      "functions/api/middleware/same-origin.ts",
      "functions/api/middleware/idempotency.ts",
      "dashboard/next.ts",
    ],
    samples: () => [
      "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      "curl/8.0",
      "/keys?first=1",
      "http://localhost",
      "same-origin",
      " a\u202eb ",
    ],
    words: ["/", "\\", "//", "\t", "?", "#", "@", "Chrome/", "iPhone", "\u200f", "\0", "http://", "/sign-in", "."],
    hold: holdWords,
  },
];
