import { readZip } from "../../archives/zip/reader.ts";
import { writeZip, type ZipMember } from "../../archives/zip/writer.ts";

/**
 * Gives each shape of a slide a unique ID (ECMA-376 part 1, 19.3.1.12). Pandoc assigns pictures the ID of another
 * shape, which can make PowerPoint offer to repair the file.
 */
export const withNumberedShapes = (path: string, output: string): Promise<void> =>
  readZip(path, async (zip) => {
    const members: ZipMember[] = [];
    for (const name of zip.paths) {
      const bytes = (await zip.read(name)) ?? Buffer.alloc(0);
      members.push({ path: name, bytes: SLIDE.test(name) ? numbered(bytes.toString("utf8")) : bytes });
    }
    await writeZip(output, members);
  });

const SLIDE = /^ppt\/slides\/slide\d+\.xml$/;

/** Pandoc's output never refers to a shape by ID: it has no connectors and no animations. */
const numbered = (xml: string): string => {
  let number = 0;
  return xml.replace(/(<p:cNvPr\b[^>]*?\bid=")\d+"/g, (_, before: string) => {
    number += 1;
    return `${before}${number}"`;
  });
};
