import type { Format } from "../format.ts";

/** Trees of values. */
export const treeFormats = [
  {
    id: "json",
    name: "JSON",
    family: "data",
    extensions: ["json"],
    mediaTypes: ["application/json", "text/json"],
    carries: ["rows", "types", "tree"],
    hub: true,
    looseShape: /^\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:["[{\]]|-?\d|true\b|false\b|null\b|$))/,
  },
  {
    id: "xml",
    name: "XML",
    family: "data",
    extensions: ["xml"],
    mediaTypes: ["application/xml", "text/xml"],
    carries: ["tree"],
    xmlRoots: ["*"],
  },
] as const satisfies readonly Format[];
