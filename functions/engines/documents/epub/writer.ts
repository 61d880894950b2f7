import type { Warning } from "../../../domain/warning.ts";
import { writeZip } from "../../archives/zip/writer.ts";
import type { CleanTree } from "../html/clean.ts";
import { bookOf } from "./book.ts";
import { membersOf } from "./members.ts";

/**
 * Writes a clean document as EPUB 3 with chapters, contents for new and old e-readers, and pictures.
 *
 * @param tree the document, which is changed
 * @returns warnings about what was left out
 * @throws JobError `too_many_pages`
 */
export const writeEpub = async (output: string, tree: CleanTree): Promise<readonly Warning[]> => {
  const { book, warnings } = bookOf(tree);
  await writeZip(output, membersOf(book));
  return warnings;
};
