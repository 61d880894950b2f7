import type { Warning } from "../../domain/jobs.ts";
import { bookOf } from "./epub-book.ts";
import { membersOf } from "./epub-members.ts";
import type { CleanTree } from "./html-clean.ts";
import { writeZip } from "./zip-writer.ts";

/**
 * Writes a clean document as EPUB 3, with chapters, contents for new and for old reading devices, and its pictures.
 *
 * @param tree it is changed
 * @returns what was left out
 * @throws JobError `too_many_pages`
 */
export const writeEpub = async (output: string, tree: CleanTree): Promise<readonly Warning[]> => {
  const { book, warnings } = bookOf(tree);
  await writeZip(output, membersOf(book));
  return warnings;
};
