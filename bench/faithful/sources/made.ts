import { writeFile } from "node:fs/promises";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";

/** A file that the comparison makes. */
export interface MadeSource {
  readonly name: string;
  readonly format: FormatId;
  readonly content?: () => string | Buffer | Promise<Buffer>;
  /** Writes the file by a program. @default writes the content */
  readonly write?: (path: string) => Promise<unknown>;
}

export const writeSource = async ({ content, write }: MadeSource, path: string): Promise<void> => {
  await (write === undefined ? writeFile(path, (await content?.()) ?? "") : write(path));
};
