import { readZip } from "../io/zip-reader.ts";
import { writeZip, type ZipMember } from "../io/zip-writer.ts";

/**
 * Gives each shape of a slide a number of its own (ECMA-376 part 1, 19.3.1.12): pandoc gives a picture the number of
 * another shape, which PowerPoint may offer to repair.
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

/** Nothing in what pandoc writes refers to a shape by its number: there are no connectors and no animations. */
const numbered = (xml: string): string => {
  let number = 0;
  return xml.replace(/(<p:cNvPr\b[^>]*?\bid=")\d+"/g, (_, before: string) => {
    number += 1;
    return `${before}${number}"`;
  });
};
