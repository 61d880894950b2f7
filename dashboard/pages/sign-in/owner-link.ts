import { api } from "../../api.ts";
import { enter, type SessionState } from "../../session.ts";

/** A code from the link that the service prints at its start. */
export interface OwnerCode {
  readonly challenge_id: string;
  readonly code: string;
}

/**
 * @returns the code in the fragment of the address. Only on the user's own machine: elsewhere, a link could sign people
 * in to the account of somebody else
 */
export const ownerCode = ({ hash, hostname }: Pick<Location, "hash" | "hostname">): OwnerCode | undefined => {
  const values = new URLSearchParams(hash.slice(1));
  const [challenge, code] = [values.get("challenge"), values.get("code")];
  return challenge === null || code === null || !isOwnMachine(hostname) ? undefined : { challenge_id: challenge, code };
};

/** Signs in with the code and removes it from the address. @throws ApiProblem */
export const signInAsOwner = async (code: OwnerCode): Promise<void> => {
  history.replaceState(null, "", location.pathname);
  enter(await api.post<SessionState>("session", code));
};

/** Whether the service runs on the user's own computer, whose terminal shows codes and links. */
export const isOwnMachine = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127\./.test(host);
