import type { Header } from "./header.ts";
import { indexTable } from "./index-table.ts";
import type { Records } from "./records.ts";

/** An entry of the contents, with its target in the text of a Mobipocket book or in a fragment of a Kindle book. */
export interface ContentsLine {
  readonly label: string;
  readonly position: number | undefined;
  readonly fragment: number | undefined;
}

/** Tags of the values in the contents index. */
const POSITION = 1;
const LABEL = 3;
const PLACE = 6;

/** @returns the contents; empty if they are damaged, because the book is still readable */
export const contentsOf = (records: Records, { contents, encoding }: Header): readonly ContentsLine[] => {
  if (contents === undefined || records.at(contents).toString("latin1", 0, 4) !== "INDX") {
    return [];
  }
  const index = indexTable(records, contents);
  const decoder = new TextDecoder(encoding);
  return index.entries.map(({ values }) => ({
    label: decoder.decode(index.text(values.get(LABEL)?.[0] ?? 0)).trim(),
    position: values.get(POSITION)?.[0],
    fragment: values.get(PLACE)?.[0],
  }));
};
