import { ApiProblem, api, type Schemas } from "./api.ts";
import type { SessionState } from "./session.ts";

/** Passkeys: the browser's part. Its library is loaded when it is needed. */

export type Passkey = Schemas["Passkey"];

interface Challenge<Options> {
  readonly challenge_id: string;
  readonly options: Options;
}

type Library = typeof import("@simplewebauthn/browser");

let loaded: Library | undefined;

const library = async (): Promise<Library> => {
  loaded ??= await import("@simplewebauthn/browser").catch((): never => {
    throw new ApiProblem({ code: "not_reachable", detail: "The code for passkeys could not be loaded." });
  });
  return loaded;
};

type RequestOptions = Parameters<Library["startAuthentication"]>[0]["optionsJSON"];
type CreationOptions = Parameters<Library["startRegistration"]>[0]["optionsJSON"];

/** @returns whether a passkey can belong to the host: it is made for a name, never for an address */
export const isPasskeyHost = (host: string): boolean => !/^[\d.]+$/.test(host) && !host.startsWith("[");

/** Whether this browser has passkeys for these pages: only over TLS or on localhost. */
export const hasPasskeys = (): boolean => "PublicKeyCredential" in globalThis && isPasskeyHost(location.hostname);

/** Whether the browser offers passkeys in the field for the address. */
export const offersPasskeysInField = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/**
 * Signs in with whichever passkey the reader picks: in a window of the browser's, or in the field that has `webauthn` in its
 * `autocomplete`. One that waits ends when another begins.
 *
 * @throws ApiProblem
 * @throws Error with the name of WebAuthn's error, `NotAllowedError` when the reader did not go on
 */
export const signInWithPasskey = async ({ inField }: { readonly inField: boolean }): Promise<SessionState> => {
  const { startAuthentication } = await library();
  const { challenge_id, options } = await api.post<Challenge<RequestOptions>>("session/passkey/options");
  const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: inField });
  return api.post<SessionState>("session/passkey", { challenge_id, credential });
};

/** Ends the passkey that is waited for. */
export const stopPasskey = (): void => loaded?.WebAuthnAbortService.cancelCeremony();

/** Makes a passkey on this device, or on one beside it. @throws as above */
export const addPasskey = async (name: string): Promise<Passkey> => {
  const { startRegistration } = await library();
  const { challenge_id, options } = await api.post<Challenge<CreationOptions>>("session/passkeys/options");
  const credential = await startRegistration({ optionsJSON: options });
  return api.post<Passkey>("session/passkeys", { challenge_id, name, credential });
};
