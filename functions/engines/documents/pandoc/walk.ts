import { isNode, type Json, type Node } from "./tree.ts";

/** Visits every node of a tree, outermost first. The depth of the tree has been checked before. */
export const eachNode = (value: Json | undefined, see: (node: Node) => void): void => {
  if (Array.isArray(value)) {
    for (const item of value) {
      eachNode(item, see);
    }
    return;
  }
  if (isNode(value)) {
    see(value);
    eachNode(value.c, see);
  } else if (typeof value === "object" && value !== null) {
    eachNode(Object.values(value), see);
  }
};

/** @returns the text of inlines, blocks or a metadata value, on one line */
export const wordsOf = (value: Json | undefined): string => {
  const words: string[] = [];
  eachNode(value, ({ t, c }) => {
    if (t === "Str" || t === "MetaString") {
      words.push(typeof c === "string" ? c : "");
    } else if (t === "Code" || t === "Math") {
      words.push(textAt(c, 1));
    } else if (BREAKS.has(t)) {
      words.push(" ");
    }
  });
  return words.join("").replace(/\s+/g, " ").trim();
};

const BREAKS: ReadonlySet<string> = new Set(["Space", "SoftBreak", "LineBreak", "Para", "Plain"]);

/** @returns the text at an index of an array, if it is a string */
export const textAt = (value: Json | undefined, index: number): string => {
  const found = listOf(value)[index];
  return typeof found === "string" ? found : "";
};

/** @returns the value if it is an array, otherwise an empty array */
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** @returns the URL of a link or picture, and its title */
export const targetOf = ({ c }: Node): readonly [string, string] => {
  const target = listOf(c)[2];
  return [textAt(target, 0), textAt(target, 1)];
};
