import { readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { Warning } from "../../domain/jobs.ts";
import { cleanHtml } from "../io/html.ts";
import { dataUriOf as uriOfBytes } from "../io/picture-header.ts";
import { type Gated, placeOf } from "./gate.ts";
import { dataUriOf } from "./pictures.ts";
import { withNumberedShapes } from "./slides.ts";
import type { Source } from "./source.ts";
import type { Writer } from "./writers.ts";

interface Finishing {
  /** What pandoc has written. */
  readonly path: string;
  readonly output: string;
  readonly writer: Writer;
  readonly source: Source;
  readonly gated: Gated;
}

/** Makes the result of what pandoc has written. @returns what was left out on the way */
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
    // What stands beside a text is its reader's; what stands beside a Word document is nowhere.
    references: source.container === undefined ? "relative" : "none",
    pictures: (name) => {
      const file = files.get(name);
      return file && uriOfBytes(readFileSync(file));
    },
  });
  await writeFile(output, html, { flag: "wx" });
  return warnings;
};

/** A picture in a Markdown is a long line of letters: it stands at the end, and in the text there is its name. */
const finishMarkdown = async ({ path, output, gated }: Finishing): Promise<void> => {
  let text = await readFile(path, "utf8");
  const definitions: string[] = [];
  for (const [index, picture] of gated.pictures.entries()) {
    const name = `picture-${index + 1}`;
    const place = placeOf(picture, gated.mark);
    const inline = text.replaceAll(
      new RegExp(`\\]\\(<?${place}>?(?: +"[^"\\n]*")?\\)(?:\\{[^}\\n]*\\})?`, "g"),
      `][${name}]`,
    );
    const uri = await dataUriOf(picture);
    definitions.push(...(inline === text ? [] : [`[${name}]: ${uri}`]));
    text = inline.replaceAll(place, uri);
  }
  await writeFile(output, [text.trimEnd(), "", ...(definitions.length > 0 ? [...definitions, ""] : [])].join("\n"), {
    flag: "wx",
  });
};
