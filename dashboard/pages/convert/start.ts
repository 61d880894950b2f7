import { signal } from "@preact/signals";
import { navigate } from "wouter-preact/use-browser-location";
import { api, type Schemas } from "../../api.ts";
import { affordable, isStartable, type Row } from "./rows.ts";
import { admit, hasReturned, isTooLarge, queue } from "./store.ts";

/** Why nobody was let in, when that went wrong. */
export const admission = signal<unknown>(undefined);

/** Set when the month's requests do not do for all that was wanted: fewer were started, so that their results can be fetched. */
export const shortage = signal<{ readonly started: number; readonly remaining: number } | undefined>(undefined);

/** @returns the rows that a press of “Convert” would convert */
export const startableRows = (): readonly Row[] =>
  queue.rows.value.filter((row) => isStartable(row) && !isTooLarge(row));

/** Converts, once the person is let in; who has to sign in first finds the list as it was. */
export const startRows = (rows: readonly Row[]): Promise<void> =>
  onceAdmitted(async () => {
    const { quota } = await api.get<Schemas["Account"]>("account");
    const wanted = rows.filter((row) => !isTooLarge(row));
    const started = affordable(wanted, queue.rows.value, quota.remaining);
    shortage.value =
      started.length < wanted.length ? { started: started.length, remaining: quota.remaining } : undefined;
    queue.start(started);
  });

/** Sends a file to learn its format, once the person is let in. */
export const lookInto = (row: Row): Promise<void> => onceAdmitted(async () => queue.look(row));

const onceAdmitted = async (act: () => Promise<void>): Promise<void> => {
  admission.value = undefined;
  try {
    if (await admit()) {
      hasReturned.value = false;
      await act();
      return;
    }
    navigate("/sign-in?next=/");
  } catch (error) {
    admission.value = error;
  }
};
