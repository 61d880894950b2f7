import { api, type Schemas } from "../../api.ts";
import { leaveTo } from "../../leave.ts";
import { enter, type SessionState } from "../../session.ts";

/** Sign-in with the operator's identity provider, which opens its page and returns to the sign-in page. */

const KEY = "anyform-identity";

/** A started sign-in. It is kept in this tab only, so that an answer for another browser is not accepted. */
interface Started {
  readonly challenge_id: string;
  /** Where to go afterwards. */
  readonly next: string | null;
}

/** Opens the page of the provider. @throws ApiProblem */
export const startIdentity = async (next: string | undefined): Promise<void> => {
  const { challenge_id, url } = await api.post<Schemas["IdentityRequest"]>("session/oidc/options");
  sessionStorage.setItem(KEY, JSON.stringify({ challenge_id, next: next ?? null } satisfies Started));
  leaveTo(url);
};

/** What the provider appended to the address of the sign-in page. */
export interface IdentityReturn {
  readonly code: string | null;
  readonly state: string | null;
  readonly iss: string | null;
  /** The provider's error code: the user cancelled, or is not allowed. */
  readonly error: string | null;
}

/** @returns the answer of the provider; undefined if the address has none */
export const identityReturn = (search: string): IdentityReturn | undefined => {
  const query = new URLSearchParams(search);
  const [code, state, error] = [query.get("code"), query.get("state"), query.get("error")];
  return state === null || (code === null && error === null)
    ? undefined
    : { code, state, iss: query.get("iss"), error };
};

/** The provider did not sign in, or this tab did not start the sign-in. */
export class IdentityCancelled extends Error {}

/**
 * Signs in with the answer and removes it from the address.
 *
 * @returns where to go afterwards
 * @throws ApiProblem, IdentityCancelled
 */
export const finishIdentity = async ({ code, state, iss }: IdentityReturn): Promise<string | null> => {
  history.replaceState(null, "", location.pathname);
  const started = startedFrom(sessionStorage.getItem(KEY));
  sessionStorage.removeItem(KEY);
  if (started === undefined || code === null) {
    throw new IdentityCancelled();
  }
  const body = { challenge_id: started.challenge_id, code, state, ...(iss !== null && { iss }) };
  enter(await api.post<SessionState>("session/oidc", body));
  return started.next;
};

/** @param text the stored text, which an extension or another version of these pages may have written */
const startedFrom = (text: string | null): Started | undefined => {
  try {
    const { challenge_id, next } = Object(JSON.parse(text ?? "{}"));
    return typeof challenge_id === "string"
      ? { challenge_id, next: typeof next === "string" ? next : null }
      : undefined;
  } catch {
    // These pages write JSON, so other text is not a sign-in.
    return undefined;
  }
};
