import { computed, signal } from "@preact/signals";
import { ApiProblem, api, type Schemas, sessionEvents } from "./api.ts";

/** The response of `GET /api/v1/session`. */
export type SessionState = Schemas["Session"];

export type AccountState = Schemas["Owner"];

/** What a member may do in the account. */
export type AccountRole = NonNullable<SessionState["session"]>["role"];

const NOBODY: SessionState = {
  account: null,
  operator: false,
  session: null,
  offers: { codes: false, identity_provider: null, payments: false, visitors: false, upload_bytes_max: 0 },
};

export const session = signal<SessionState>(NOBODY);

/** Whether the owner of the account operates the service. */
export const isOperator = computed(() => session.value.operator);

/** Why the session could not be read, if it could not. */
export const sessionProblem = signal<ApiProblem | undefined>(undefined);

export const account = computed(() => session.value.account);

/** The role of the person in the account. */
export const role = computed((): AccountRole => session.value.session?.role ?? "owner");

/** Whether somebody is signed in to an account, and is not a guest. */
export const isMember = computed(() => account.value !== null && account.value.visitor_until === null);

export const loadSession = async (): Promise<void> => {
  try {
    session.value = await api.get<SessionState>("session");
    sessionProblem.value = undefined;
  } catch (error) {
    sessionProblem.value = problemOf(error);
  }
};

/** @throws any other error: a bug of the pages */
const problemOf = (error: unknown): ApiProblem => {
  if (error instanceof ApiProblem) {
    return error;
  }
  throw error;
};

/** Whether the session ended without signing out here: it expired, or was ended on another device. */
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

/** Stores the session from a response. A new session clears the notice that the previous one ended. */
export const enter = (state: SessionState): void => {
  sessionEnded.value = false;
  sessionProblem.value = undefined;
  session.value = state;
};

/** Stores the account from a response. The member with its address has the new one. */
export const accountChanged = (state: AccountState): void => {
  const { session: current, account: former, ...rest } = session.peek();
  const isOwn = current !== null && current.email === former?.email;
  session.value = { ...rest, account: state, session: isOwn ? { ...current, email: state.email } : current };
};

/** A request was rejected because the session has ended: the session is read again. */
sessionEvents.addEventListener("signed-out", () => {
  if (session.peek().account !== null) {
    sessionEnded.value = true;
    void loadSession();
  }
});
