import { signal } from "@preact/signals";
import { navigate } from "wouter-preact/use-browser-location";
import { api, type Schemas } from "../../api.ts";
import { affordable, isStartable, type Row } from "./rows.ts";
import { ensureSession, hasReturned, isTooLarge, queue } from "./store.ts";

/** Why a conversion could not be started. */
export const startProblem = signal<unknown>(undefined);

/** Set when the remaining requests were not enough for all files: fewer were started, so that their results can be fetched. */
export const shortage = signal<{ readonly started: number; readonly remaining: number } | undefined>(undefined);

/** @returns the rows that “Convert” would convert */
export const startableRows = (): readonly Row[] =>
  queue.rows.value.filter((row) => isStartable(row) && !isTooLarge(row) && !waitsForPassword(row));

/** @returns whether the conversion failed because its file needs a password: without one, it would fail again */
export const waitsForPassword = ({ step, problem }: Row): boolean =>
  step.value === "failed" && problem.value?.code === "password_required";

/** Converts rows once there is a session; people who have to sign in first find the list unchanged. */
export const startRows = (rows: readonly Row[]): Promise<void> =>
  withSession(async () => {
    const { quota } = await api.get<Schemas["Account"]>("account");
    const selected = rows.filter((row) => !isTooLarge(row));
    const started = affordable(selected, queue.rows.value, quota.remaining);
    shortage.value =
      quota.remaining !== null && started.length < selected.length
        ? { started: started.length, remaining: quota.remaining }
        : undefined;
    queue.start(started);
  });

/** Uploads a file to detect its format, once there is a session. */
export const detectFormat = (row: Row): Promise<void> => withSession(async () => queue.detectFormat(row));

const withSession = async (act: () => Promise<void>): Promise<void> => {
  startProblem.value = undefined;
  try {
    if (await ensureSession()) {
      hasReturned.value = false;
      await act();
      return;
    }
    navigate("/sign-in?next=/");
  } catch (error) {
    startProblem.value = error;
  }
};
