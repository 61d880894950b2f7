import { chosenFiles, type Found, readEntries } from "./entries.ts";

/** Files that are dropped on the page. */

/**
 * Reads dropped files and folders. `webkitGetAsEntry` works only during the event, so this must be called in its handler;
 * folders are read afterward.
 * @param limit maximum number of files
 */
export const droppedFiles = (data: DataTransfer, limit: number): Promise<Found> => {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  // Some browsers have no entries for files that are dragged from another program.
  return entries.some((entry) => entry === null)
    ? Promise.resolve(chosenFiles([...data.files], limit))
    : readEntries(
        entries.filter((entry) => entry !== null),
        limit,
      );
};
