import { computed, signal } from "@preact/signals";
import { ApiProblem, api, refusals, type Schemas } from "./api.ts";

/** What `GET /api/v1/session` answers. */
export type SessionState = Schemas["Session"];

export type AccountState = Schemas["Owner"];

const NOBODY: SessionState = {
  account: null,
  session: null,
  offers: { codes: false, payments: false, visitors: false, upload_bytes_max: 0 },
};

export const session = signal<SessionState>(NOBODY);

/** Why the session could not be read, when it could not. */
export const sessionProblem = signal<ApiProblem | undefined>(undefined);

export const account = computed(() => session.value.account);

/** Whether somebody with an account is signed in: no visitor. */
export const isMember = computed(() => account.value !== null && account.value.visitor_until === null);

export const loadSession = async (): Promise<void> => {
  try {
    session.value = await api.get<SessionState>("session");
    sessionProblem.value = undefined;
  } catch (error) {
    sessionProblem.value = problemOf(error);
  }
};

/** @throws what is no answer of the service: a fault of ours */
const problemOf = (error: unknown): ApiProblem => {
  if (error instanceof ApiProblem) {
    return error;
  }
  throw error;
};

/** Whether the session ended without its owner's doing: it was ended elsewhere, or its time had come. */
export const sessionEnded = signal(false);

export const signOut = async (): Promise<void> => {
  try {
    await api.remove("session");
  } catch (error) {
    sessionProblem.value = problemOf(error);
    return;
  }
  await loadSession();
  sessionEnded.value = false;
};

/** Takes over what an answer has told of the session; who has just signed in has not been signed out. */
export const enter = (state: SessionState): void => {
  sessionEnded.value = false;
  sessionProblem.value = undefined;
  session.value = state;
};

/** Takes over a part of the account that an answer has told. */
export const accountChanged = (state: AccountState): void => {
  session.value = { ...session.peek(), account: state };
};

/** A request that needed the session was refused: the pages then show who is signed in now. */
refusals.addEventListener("signed-out", () => {
  if (session.peek().account !== null) {
    sessionEnded.value = true;
    void loadSession();
  }
});
