import { ApiProblem, api, type Schemas } from "./api.ts";
import type { SessionState } from "./session.ts";

/** The browser's part of passkeys. The library is loaded when it is first needed. */

export type Passkey = Schemas["Passkey"];

interface Challenge<Options> {
  readonly challenge_id: string;
  readonly options: Options;
}

type Library = typeof import("@simplewebauthn/browser");

let loaded: Library | undefined;

const library = async (): Promise<Library> => {
  loaded ??= await import("@simplewebauthn/browser").catch((): never => {
    throw new ApiProblem({ code: "not_reachable", detail: "Could not load the code for passkeys." });
  });
  return loaded;
};

type RequestOptions = Parameters<Library["startAuthentication"]>[0]["optionsJSON"];
type CreationOptions = Parameters<Library["startRegistration"]>[0]["optionsJSON"];

/** @returns whether the host can have passkeys: they are bound to a domain name, never to an IP address */
export const isPasskeyHost = (host: string): boolean => !/^[\d.]+$/.test(host) && !host.startsWith("[");

/** Whether this browser supports passkeys for these pages: only over TLS or on localhost. */
export const hasPasskeys = (): boolean => "PublicKeyCredential" in globalThis && isPasskeyHost(location.hostname);

/** Whether the browser offers passkeys in the email field. */
export const offersPasskeysInField = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/**
 * Signs in with the passkey that the user selects: in the browser's dialog, or in the field that has `webauthn` in its
 * `autocomplete`. A pending request is cancelled when another one starts.
 *
 * @throws ApiProblem
 * @throws Error with the name of the WebAuthn error, `NotAllowedError` if the user cancelled
 */
export const signInWithPasskey = async ({ inField }: { readonly inField: boolean }): Promise<SessionState> => {
  const { startAuthentication } = await library();
  const { challenge_id, options } = await api.post<Challenge<RequestOptions>>("session/passkey/options");
  const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: inField });
  return api.post<SessionState>("session/passkey", { challenge_id, credential });
};

/** Cancels the pending passkey request. */
export const stopPasskey = (): void => loaded?.WebAuthnAbortService.cancelCeremony();

/** Creates a passkey on this device, or on a nearby one. @throws as above */
export const addPasskey = async (name: string): Promise<Passkey> => {
  const { startRegistration } = await library();
  const { challenge_id, options } = await api.post<Challenge<CreationOptions>>("session/passkeys/options");
  const credential = await startRegistration({ optionsJSON: options });
  return api.post<Passkey>("session/passkeys", { challenge_id, name, credential });
};
