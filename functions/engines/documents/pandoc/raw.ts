import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serialize } from "parse5";
import { cleanTree } from "../html/clean.ts";
import { parseHtml } from "../html/tree.ts";
import { isNode, type Json, type Node, type PandocDocument, readDocument } from "./tree.ts";
import { eachNode, listOf, textAt } from "./walk.ts";

const isRawHtml = ({ t, c }: Node): boolean => t === "RawBlock" && /^html/.test(textAt(c, 0));

/**
 * Parses HTML blocks in a text (a table in Markdown, an output in a notebook) into nodes. Each is cleaned separately,
 * so an unclosed element is closed at the end of its block.
 */
export const settleRawBlocks = async (document: PandocDocument, folder: string): Promise<PandocDocument> => {
  const raw: Node[] = [];
  eachNode([...document.blocks], (node) => {
    if (isRawHtml(node)) {
      raw.push(node);
    }
  });
  if (raw.length === 0) {
    return document;
  }
  const mark = `raw-${randomBytes(8).toString("hex")}`;
  const path = join(folder, "raw");
  await writeFile(
    path,
    raw.map(({ c }, index) => `<div id="${mark}-${index}">${cleaned(textAt(c, 1))}</div>`).join("\n"),
  );
  const read = await readDocument(folder, { path, reader: ["--from=html"], format: "html" });
  const parsed = new Map(
    read.document.blocks.filter(isNode).map(({ c }) => [textAt(listOf(c)[0], 0), listOf(listOf(c)[1])]),
  );
  const settled = new Map(raw.map((node, index) => [node, parsed.get(`${mark}-${index}`) ?? []]));
  return { ...document, blocks: replaced(document.blocks, settled) };
};

const cleaned = (html: string): string => serialize(cleanTree(parseHtml(html), { references: "all" }).body);

const replaced = (list: readonly Json[], settled: ReadonlyMap<Node, readonly Json[]>): Json[] =>
  list.flatMap((value) => (isNode(value) && settled.get(value)) || [within(value, settled)]);

const within = (value: Json, settled: ReadonlyMap<Node, readonly Json[]>): Json => {
  if (Array.isArray(value)) {
    return replaced(value, settled);
  }
  return isNode(value) && value.c !== undefined ? { t: value.t, c: within(value.c, settled) } : value;
};
