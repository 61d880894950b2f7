import { chosenFiles, type Found, readEntries } from "./entries.ts";

/** What browsers hand over: drops, pastes, and their own dialogs. */

/**
 * Reads what was dropped. `webkitGetAsEntry` works only while the event is handled, so this must be called in it; the
 * folders are read afterwards.
 * @param limit files that are still taken
 */
export const droppedFiles = (data: DataTransfer, limit: number): Promise<Found> => {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  // Some browsers have no entries for files that come from another program.
  return entries.some((entry) => entry === null)
    ? Promise.resolve(chosenFiles([...data.files], limit))
    : readEntries(
        entries.filter((entry) => entry !== null),
        limit,
      );
};
