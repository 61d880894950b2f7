import { readFileSync } from "node:fs";
import type { FormatId } from "../../../../functions/domain/formats.ts";
import { readZip } from "../../../../functions/engines/io/zip-reader.ts";
import { fixture } from "../fixtures.ts";
import { type RawMember, zipOf } from "../raw-archives.ts";

/** A file that is meant to do harm, and what it is to be converted to. */
export interface Attack {
  readonly name: string;
  readonly from: FormatId;
  readonly to: readonly FormatId[];
  readonly bytes: () => string | Buffer | Promise<Buffer>;
}

/** @returns the bytes of the format's sample */
export const sample = (extension: string): Buffer => readFileSync(fixture(`sample.${extension}`));

/** @returns the sample, a zip, with these members in place of its own or beside them */
export const withMembers = (extension: string, members: readonly RawMember[]): Promise<Buffer> =>
  readZip(fixture(`sample.${extension}`), async (zip) => {
    const own: RawMember[] = [];
    for (const name of zip.paths.filter((path) => members.every((member) => member.name !== path))) {
      own.push({ name, bytes: (await zip.read(name)) ?? "" });
    }
    return zipOf([...own, ...members]);
  });

/** @returns the sample, a zip, with a member changed by `change` */
export const withMember = (extension: string, name: string, change: (text: string) => string): Promise<Buffer> =>
  readZip(fixture(`sample.${extension}`), async (zip) => {
    const bytes = change(String(await zip.read(name)));
    return withMembers(extension, [{ name, bytes }]);
  });

/** @returns the bytes with others written over them at an offset */
export const patched = (bytes: Buffer, offset: number, hex: string): Buffer => {
  const copy = Buffer.from(bytes);
  Buffer.from(hex, "hex").copy(copy, offset);
  return copy;
};
