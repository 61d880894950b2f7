/** The rows of a format table by ID, and the text around them. */
interface Rows {
  readonly rows: ReadonlyMap<string, string>;
  readonly rest: string;
}

/** A row begins with its ID, in a list that ends with a bracket at the start of a line. */
const ROW = /\bid: "([^"]+)"/;

const rowsOf = (text: string): Rows => {
  const end = text.lastIndexOf("\n]");
  const [list, tail] = end === -1 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  const [head = "", ...parts] = list.split(ROW);
  const rows = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) {
    rows.set(parts[index] ?? "", parts[index + 1] ?? "");
  }
  return { rows, rest: head + tail };
};

/** @returns IDs of the formats whose rows differ between two versions of a file; undefined if more than rows differs */
export const changedFormats = (before: string, now: string): readonly string[] | undefined => {
  const [old, current] = [rowsOf(before), rowsOf(now)];
  if (old.rest !== current.rest || current.rows.size === 0) {
    return undefined;
  }
  const ids = new Set([...old.rows.keys(), ...current.rows.keys()]);
  return [...ids].filter((id) => old.rows.get(id) !== current.rows.get(id));
};
