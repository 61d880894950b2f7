import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { RequestError } from "../domain/errors.ts";
import { PASSKEY_ALGORITHMS, passkeyHost } from "../domain/passkeys.ts";
import type { Passkey } from "../domain/sessions.ts";
import type { Assertion, Attestation } from "./sign-in-request.ts";

/** Checks what passkeys answer, by a library that knows their formats. Only the two operations that need it load it. */

/** What an answer is held against: the challenge that was given, and where the browser reached the service. */
export interface Expected {
  readonly challenge: string;
  readonly baseUrl: string;
}

const expectedOf = ({ challenge, baseUrl }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: new URL(baseUrl).origin,
  expectedRPID: passkeyHost(baseUrl),
  // A security key without a PIN is welcome: it is something that its owner has.
  requireUserVerification: false,
});

/**
 * @returns what is kept of a new passkey
 * @throws RequestError `passkey_refused`
 */
export const newPasskeyOf = async (
  answer: Attestation,
  expected: Expected,
): Promise<Pick<Passkey, "counter" | "id" | "publicKey" | "transports">> => {
  const { transports = [] } = answer.response;
  const response = { ...answer, response: { ...answer.response, transports }, clientExtensionResults: {} };
  const supportedAlgorithmIDs = [...PASSKEY_ALGORITHMS];
  const { registrationInfo } = await checked(() =>
    verifyRegistrationResponse({ response, supportedAlgorithmIDs, ...expectedOf(expected) }),
  );
  if (registrationInfo === undefined) {
    throw refused();
  }
  const { id, publicKey, counter } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
};

/**
 * @returns how often the passkey was used, as it says itself
 * @throws RequestError `passkey_refused`, also when it counts back
 */
export const counterOf = async (answer: Assertion, passkey: Passkey, expected: Expected): Promise<number> => {
  const { userHandle, ...parts } = answer.response;
  const response = {
    ...answer,
    response: { ...parts, ...(userHandle && { userHandle }) },
    clientExtensionResults: {},
  };
  const publicKey = Uint8Array.from(Buffer.from(passkey.publicKey, "base64url"));
  const credential = { id: passkey.id, publicKey, counter: passkey.counter };
  const { verified, authenticationInfo } = await checked(() =>
    verifyAuthenticationResponse({ response, credential, ...expectedOf(expected) }),
  );
  if (!verified) {
    throw refused();
  }
  return authenticationInfo.newCounter;
};

/** The library throws for whatever does not fit, with texts that hold what the client sent; none of it is ours to repeat. */
const checked = async <T>(check: () => Promise<T>): Promise<T> => {
  try {
    return await check();
  } catch (error) {
    throw error instanceof RequestError ? error : refused();
  }
};

const refused = (): RequestError =>
  new RequestError(
    "passkey_refused",
    "The passkey's answer does not fit: it is for another page or challenge, is not signed by this passkey, or is a copy's.",
  );
