import { effect, signal } from "@preact/signals";
import { type AnyformError, createClient } from "../../../client/index.ts";
import { ApiProblem, api } from "../../api.ts";
import { account, isMember, loadSession, session } from "../../session.ts";
import { makeQueue } from "./queue.ts";
import { resumesIn } from "./resumes.ts";
import type { Row } from "./rows.ts";

/**
 * The list of this window. It is not the page's own, so that it stays while somebody signs in or looks at another page;
 * a reload empties it.
 */
export const queue = makeQueue(
  createClient({ baseUrl: location.origin, credentials: "same-origin" }),
  resumesIn(localStorage),
);

/** What visitors may do in a day (functions/domain/sign-in-limits.ts of the service). */
export const VISITOR_FILES_MAX = 5;
export const VISITOR_BYTES_MAX = 5_000_000;

/** Whether somebody signed in with files in the list, and may wonder whether they are still there. */
export const hasReturned = signal(false);

/** @returns whether the person may convert: signed in, or let in as a visitor where there are such @throws ApiProblem */
export const admit = async (): Promise<boolean> => {
  if (account.value === null && session.value.offers.visitors) {
    await api.post("session/visitor");
    await loadSession();
  }
  return account.value !== null;
};

export const isVisitor = (): boolean => account.value !== null && account.value.visitor_until !== null;

/** @returns bytes that a file of the row may have; undefined while nothing is chosen */
export const bytesMaxOf = (row: Row): number | undefined => {
  const own = row.chosen.value?.conversion.max_bytes;
  const visits = account.value === null ? session.value.offers.visitors : isVisitor();
  return visits ? Math.min(VISITOR_BYTES_MAX, own ?? VISITOR_BYTES_MAX) : own;
};

/** @returns whether the file is larger than is taken, so that sending it would be in vain */
export const isTooLarge = (row: Row): boolean => (row.bytes ?? 0) > (bytesMaxOf(row) ?? Number.POSITIVE_INFINITY);

/** @returns the client's error as the other pages have theirs */
export const problemOf = ({ code, detail, status, errors, requestId, retryAfter }: AnyformError): ApiProblem =>
  new ApiProblem({ code, detail, status, errors, requestId, retryAfter });

let wasMember = isMember.value;
effect(() => {
  hasReturned.value = isMember.value && (hasReturned.peek() || (!wasMember && queue.rows.peek().length > 0));
  wasMember = isMember.value;
});

// Browsers ask whether to leave while something is under way; they show words of their own.
const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
effect(() => {
  const change = queue.summary.value.busy > 0 ? addEventListener : removeEventListener;
  change("beforeunload", ask);
});

// What a broken line stopped goes on when the line is back.
addEventListener("online", () =>
  queue.start(queue.rows.value.filter(({ problem }) => problem.value?.code === "not_reachable")),
);

// The server knows best whether somebody is signed in.
effect(() => {
  if (queue.halt.value?.status === 401) {
    void loadSession();
  }
});
