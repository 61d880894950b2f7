import { effect, signal } from "@preact/signals";
import { type AnyformError, createClient } from "../../../client/index.ts";
import { ApiProblem, api } from "../../api.ts";
import { account, isMember, loadSession, session } from "../../session.ts";
import { rememberedIn } from "./options/remembered.ts";
import { createQueue } from "./queue.ts";
import { resumesIn } from "./resumes.ts";
import type { Row } from "./rows.ts";

export const client = createClient({ baseUrl: location.origin, credentials: "same-origin" });

/** The options that were last used for each pair of formats. */
export const remembered = rememberedIn(localStorage);

/**
 * The list of this window. It is not part of the page, so that it is kept while the user signs in or visits other pages;
 * a reload clears it.
 */
export const queue = createQueue(client, resumesIn(localStorage), remembered);

/** Daily limits for guests (functions/domain/sessions/sign-in-limits.ts of the service). */
export const VISITOR_FILES_MAX = 5;
export const VISITOR_BYTES_MAX = 5_000_000;

/** Whether the user signed in with files in the list, so that the page confirms that they are still there. */
export const hasReturned = signal(false);

/** Starts a guest session if the service offers them. @returns whether there is a session @throws ApiProblem */
export const ensureSession = async (): Promise<boolean> => {
  if (account.value === null && session.value.offers.visitors) {
    await api.post("session/visitor");
    await loadSession();
  }
  return account.value !== null;
};

export const isVisitor = (): boolean => account.value !== null && account.value.visitor_until !== null;

/** @returns the size limit of the row's file in bytes; undefined without a target */
export const bytesMaxOf = (row: Row): number | undefined => {
  const own = row.chosen.value?.conversion.value?.max_bytes;
  const visits = account.value === null ? session.value.offers.visitors : isVisitor();
  return visits ? Math.min(VISITOR_BYTES_MAX, own ?? VISITOR_BYTES_MAX) : own;
};

/** @returns whether the file exceeds the size limit, so that it is not uploaded */
export const isTooLarge = (row: Row): boolean => (row.bytes ?? 0) > (bytesMaxOf(row) ?? Number.POSITIVE_INFINITY);

/** @returns the client's error as the error type of the pages */
export const problemOf = ({ code, detail, status, errors, requestId, retryAfter }: AnyformError): ApiProblem =>
  new ApiProblem({ code, detail, status, errors, requestId, retryAfter });

let wasMember = isMember.value;
effect(() => {
  hasReturned.value = isMember.value && (hasReturned.peek() || (!wasMember && queue.rows.peek().length > 0));
  wasMember = isMember.value;
});

// Browsers ask for confirmation before leaving while conversions are in progress; they use their own text.
const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();
effect(() => {
  const change = queue.summary.value.busy > 0 ? addEventListener : removeEventListener;
  change("beforeunload", confirmLeaving);
});

// Conversions that failed because the connection was lost are resumed when it is back.
addEventListener("online", () =>
  queue.start(queue.rows.value.filter(({ problem }) => problem.value?.code === "not_reachable")),
);

// After a 401, the session is read again.
effect(() => {
  if (queue.halt.value?.status === 401) {
    void loadSession();
  }
});
