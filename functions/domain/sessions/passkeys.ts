import type { Account } from "../accounts/plans.ts";
import { RequestError } from "../errors.ts";
import type { RandomBytes } from "../ids.ts";
import type { Passkey } from "./session.ts";
import { PASSKEY_CHALLENGE_MS } from "./sign-in-limits.ts";

/** The options for creating and using passkeys (Web Authentication, level 3), in the JSON that browsers parse. */

/** ES256, EdDSA and RS256 (COSE algorithms), in this order. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** @returns 256 random bits, base64url */
export const newPasskeyChallenge = (random: RandomBytes): string => Buffer.from(random(32)).toString("base64url");

/**
 * @param baseUrl the base URL by which the browser reached the service
 * @returns the host name that passkeys are bound to
 * @throws RequestError `passkey_refused` for an IP address, which passkeys cannot be bound to
 */
export const passkeyHost = (baseUrl: string): string => {
  const { hostname, protocol, port } = new URL(baseUrl);
  if (!/^\[|^\d+\.\d+\.\d+\.\d+$/.test(hostname)) {
    return hostname;
  }
  const local = hostname === "127.0.0.1" || hostname === "[::1]";
  const better = local ? `as ${protocol}//localhost${port && `:${port}`}` : "by its host name";
  throw new RequestError(
    "passkey_refused",
    `Passkeys require a host name, but this page was opened by the IP address ${hostname}. Open it ${better}.`,
  );
};

/** @returns the options for `navigator.credentials.get`: any passkey that the browser has for this host */
export const requestOptions = (challenge: string, rpId: string) => ({
  challenge,
  rpId,
  timeout: PASSKEY_CHALLENGE_MS,
  userVerification: "preferred" as const,
});

/** @returns the options for `navigator.credentials.create` */
export const creationOptions = (
  { challenge, rpId }: { readonly challenge: string; readonly rpId: string },
  { id, email }: Pick<Account, "email" | "id">,
  passkeys: readonly Passkey[],
) => ({
  challenge,
  rp: { name: "Anyform", id: rpId },
  user: { id: userHandleOf(id), name: email, displayName: email },
  pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
  timeout: PASSKEY_CHALLENGE_MS,
  attestation: "none" as const,
  authenticatorSelection: {
    residentKey: "preferred" as const,
    requireResidentKey: false,
    userVerification: "preferred" as const,
  },
  excludeCredentials: passkeys.map(({ id, transports }) => ({
    type: "public-key" as const,
    id,
    transports: [...transports],
  })),
  extensions: { credProps: true },
});

/** @returns the user handle of a passkey: the account's ID, which contains no personal data */
export const userHandleOf = (accountId: string): string => Buffer.from(accountId).toString("base64url");
