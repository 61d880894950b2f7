import { signingKey } from "../../functions/api/sign-in/signing-keys.ts";
import { codeChallenge, newCode } from "../../functions/domain/sessions/sign-in-codes.ts";
import { HOUR_MS } from "../../functions/domain/times.ts";
import type { LocalContext } from "../context.ts";
import { OWNER_EMAIL } from "./first-key.ts";

/** How long the link works: the terminal that shows it is usually open for a while. */
const LINK_MS = 24 * HOUR_MS;

/**
 * Creates a link that signs the owner of the machine in to the account of the printed key. It works once and for
 * 24 hours. The code is in the fragment, which browsers do not send to servers.
 *
 * @param url the URL of the dashboard
 * @returns undefined if the account does not exist
 */
export const ownerLink = async (
  { accounts, sessions, random, clock }: Pick<LocalContext, "accounts" | "clock" | "random" | "sessions">,
  url: string,
): Promise<string | undefined> => {
  if ((await accounts.findByEmail(OWNER_EMAIL)) === undefined) {
    return undefined;
  }
  const now = clock();
  const code = newCode(random);
  const key = await signingKey({ sessions, random }, now);
  const challenge = codeChallenge({ email: OWNER_EMAIL, code, key }, now, random);
  await sessions.addChallenge({ ...challenge, expiresAt: now + LINK_MS });
  return new URL(`/sign-in#challenge=${challenge.id}&code=${code}`, url).href;
};
