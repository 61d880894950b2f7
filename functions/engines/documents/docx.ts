import { readFile, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import type { Engine } from "../core/engine.ts";
import { documentOf } from "./docx/document.ts";
import { cleanTree } from "./html/clean.ts";
import { readHtml } from "./html/reader.ts";
import { parseHtml } from "./html/tree.ts";

/**
 * Writes Word documents from HTML. Headings, lists, tables, links, pictures and text formatting become native Word
 * objects, so Word's styles, outline and numbering work on them.
 */
export const docxEngine: Engine = {
  name: "docx",
  version: async () => {
    // The package does not export its `package.json`.
    const path = findPackageJSON("docx", import.meta.url) ?? "";
    const { version }: { version?: string } = JSON.parse(await readFile(path, "utf8"));
    return version ?? "";
  },
  convert: async ({ input, output, from, to, options }) => {
    if (from !== "html" || to !== "docx") {
      throw new TypeError(`docx cannot convert ${from} to ${to}.`);
    }
    const { Packer } = await import("docx");
    const tree = cleanTree(parseHtml(await readHtml(input, options.encoding)));
    const { document, warnings } = documentOf(tree);
    await writeFile(output, await Packer.toBuffer(document), { flag: "wx" });
    return { warnings: [...tree.warnings, ...warnings] };
  },
};
