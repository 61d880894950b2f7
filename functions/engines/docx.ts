import { readFile, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { documentOf } from "./docx/document.ts";
import type { Engine } from "./engine.ts";
import { cleanTree } from "./io/html-clean.ts";
import { readHtml } from "./io/html-reader.ts";
import { parseHtml } from "./io/html-tree.ts";

/**
 * Writes Word's documents of HTML: headings, lists, tables, links, pictures and the looks of words become Word's own, so
 * that its styles, outline and numbering work on them.
 */
export const docxEngine: Engine = {
  name: "docx",
  version: async () => {
    // The package shows its `package.json` to nobody who asks by its name.
    const path = findPackageJSON("docx", import.meta.url) ?? "";
    const { version }: { version?: string } = JSON.parse(await readFile(path, "utf8"));
    return version ?? "";
  },
  convert: async ({ input, output, from, to, options }) => {
    if (from !== "html" || to !== "docx") {
      throw new TypeError(`docx does not turn ${from} into ${to}.`);
    }
    const { Packer } = await import("docx");
    const tree = cleanTree(parseHtml(await readHtml(input, options.encoding)));
    const { document, warnings } = documentOf(tree);
    await writeFile(output, await Packer.toBuffer(document), { flag: "wx" });
    return { warnings: [...tree.warnings, ...warnings] };
  },
};
