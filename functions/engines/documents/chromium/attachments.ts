import { readFile, writeFile } from "node:fs/promises";
import { AFRelationship, ParseSpeeds, PDFDocument } from "@cantoo/pdf-lib";

/** A file to embed in a PDF (ISO 32000-1, 7.11.4). */
export interface EmbeddedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Embeds files in a PDF, in which readers list them as attachments. Of equal names, the later get a number. */
export const embedFiles = async (path: string, files: readonly EmbeddedFile[]): Promise<void> => {
  const document = await PDFDocument.load(await readFile(path), {
    updateMetadata: false,
    parseSpeed: ParseSpeeds.Fastest,
  });
  const taken = new Set<string>();
  for (const { name, mediaType, bytes } of files) {
    await document.attach(bytes, freeName(name, taken), {
      mimeType: mediaType,
      afRelationship: AFRelationship.Unspecified,
    });
  }
  await writeFile(path, await document.save({ addDefaultPage: false }));
};

const freeName = (name: string, taken: Set<string>): string => {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) {
    free = `${count}-${name}`;
  }
  taken.add(free);
  return free;
};
