import { RequestError } from "../../domain/errors.ts";
import { PASSKEY_ALGORITHMS, passkeyHost } from "../../domain/sessions/passkeys.ts";
import type { Passkey } from "../../domain/sessions/session.ts";
import type { Assertion, Attestation } from "./credentials.ts";

/** Verifies passkey responses with a library. It is loaded when it is needed: it takes longer to load than the rest. */
const library = () => import("@simplewebauthn/server");

/** The expected challenge, and the base URL by which the browser reached the service. */
export interface Expected {
  readonly challenge: string;
  readonly baseUrl: string;
}

const expectedOf = ({ challenge, baseUrl }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: new URL(baseUrl).origin,
  expectedRPID: passkeyHost(baseUrl),
  // Security keys without a PIN are accepted: possession is enough.
  requireUserVerification: false,
});

/**
 * @returns the stored fields of a new passkey
 * @throws RequestError `passkey_refused`
 */
export const newPasskeyOf = async (
  answer: Attestation,
  expected: Expected,
): Promise<Pick<Passkey, "counter" | "id" | "publicKey" | "transports">> => {
  const { transports = [] } = answer.response;
  const response = { ...answer, response: { ...answer.response, transports }, clientExtensionResults: {} };
  const supportedAlgorithmIDs = [...PASSKEY_ALGORITHMS];
  const { verifyRegistrationResponse } = await library();
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
 * @returns the passkey's own signature counter
 * @throws RequestError `passkey_refused`, also when the counter decreases
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
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await checked(() =>
    verifyAuthenticationResponse({ response, credential, ...expectedOf(expected) }),
  );
  if (!verified) {
    throw refused();
  }
  return authenticationInfo.newCounter;
};

/** The library's error messages contain client input, so they are not returned. */
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
    "Passkey verification failed: wrong origin, challenge or signature, or a cloned passkey.",
  );
