import { readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { Warning } from "../../../domain/warning.ts";
import { dataUriOf as uriOfBytes } from "../../pictures/files/header.ts";
import { cleanHtml } from "../html/html.ts";
import { type Gated, placeholderOf } from "./gate.ts";
import { dataUriOf } from "./pictures.ts";
import { withNumberedShapes } from "./slides.ts";
import type { Source } from "./source.ts";
import type { Writer } from "./writers.ts";

interface Finishing {
  /** Pandoc's output. */
  readonly path: string;
  readonly output: string;
  readonly writer: Writer;
  readonly source: Source;
  readonly gated: Gated;
}

/** Turns pandoc's output into the result. @returns warnings about what was left out */
export const finish = async (finishing: Finishing): Promise<readonly Warning[]> => {
  const { path, output, writer } = finishing;
  if (writer.format === "html") {
    return finishHtml(finishing);
  }
  if (writer.format === "md") {
    await finishMarkdown(finishing);
    return [];
  }
  await (writer.format === "pptx" ? withNumberedShapes(path, output) : rename(path, output));
  return [];
};

const finishHtml = async ({ path, output, source, gated }: Finishing): Promise<readonly Warning[]> => {
  const files = new Map(gated.pictures.map(({ name, path }) => [name, path]));
  const { title, lang, metadata } = gated;
  const { html, warnings } = cleanHtml(await readFile(path, "utf8"), {
    title,
    lang,
    metadata,
    directions: true,
    // The reader has the files next to a text document, but not those next to a Word document.
    references: source.container === undefined ? "relative" : "none",
    pictures: (name) => {
      const file = files.get(name);
      return file && uriOfBytes(readFileSync(file));
    },
  });
  await writeFile(output, html, { flag: "wx" });
  return warnings;
};

/**
 * In Markdown, an embedded picture is a long data URI, so it is defined at the end and referenced by name in the text.
 */
const finishMarkdown = async ({ path, output, gated }: Finishing): Promise<void> => {
  let text = await readFile(path, "utf8");
  const definitions: string[] = [];
  for (const [index, picture] of gated.pictures.entries()) {
    const name = `picture-${index + 1}`;
    const placeholder = placeholderOf(picture, gated.mark);
    const inline = text.replaceAll(
      new RegExp(`\\]\\(<?${placeholder}>?(?: +"[^"\\n]*")?\\)(?:\\{[^}\\n]*\\})?`, "g"),
      `][${name}]`,
    );
    const uri = await dataUriOf(picture);
    definitions.push(...(inline === text ? [] : [`[${name}]: ${uri}`]));
    text = inline.replaceAll(placeholder, uri);
  }
  await writeFile(output, [text.trimEnd(), "", ...(definitions.length > 0 ? [...definitions, ""] : [])].join("\n"), {
    flag: "wx",
  });
};
