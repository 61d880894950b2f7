import { api } from "../../api.ts";
import { locale } from "../../text.ts";

/** A code that was sent. It is kept while the window is open: phones often reload the page after switching to the mail app. */
export interface SentCode {
  readonly challenge_id: string;
  readonly email: string;
  readonly expires_at: string;
}

const KEY = "anyform-sent-code";

export const CODE_DIGITS = 6;

/** @throws ApiProblem */
export const sendCode = async (email: string): Promise<SentCode> => {
  const answer = await api.post<Omit<SentCode, "email">>("session/code", { email, locale: locale.value });
  const sent = { ...answer, email };
  sessionStorage.setItem(KEY, JSON.stringify(sent));
  return sent;
};

export const forgetCode = (): void => sessionStorage.removeItem(KEY);

/** @returns the code that was sent last, until it expires */
export const sentCode = (): SentCode | undefined => readCode(sessionStorage.getItem(KEY), Date.now());

/** @param text the stored text, which an extension or another version of these pages may have written */
export const readCode = (text: string | null, now: number): SentCode | undefined => {
  const kept = parsed(text);
  const isCode =
    typeof kept.challenge_id === "string" && typeof kept.email === "string" && typeof kept.expires_at === "string";
  if (!isCode || !(Date.parse(String(kept.expires_at)) > now)) {
    return;
  }
  return { challenge_id: String(kept.challenge_id), email: String(kept.email), expires_at: String(kept.expires_at) };
};

const parsed = (text: string | null): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text ?? "{}"));
  } catch {
    // These pages write JSON, so other text is not a code.
    return {};
  }
};

/** @returns the digits of what was typed or pasted, up to the length of a code: `123 456` is valid */
export const digitsOf = (text: string): string => text.replace(/\D/gu, "").slice(0, CODE_DIGITS);
