import { readFileSync } from "node:fs";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../../functions/engines/archives/zip/reader.ts";
import { fixture } from "../fixtures.ts";
import { type RawMember, zipOf } from "../raw-archives.ts";

/** A malicious file, and its conversion targets. */
export interface Attack {
  readonly name: string;
  readonly from: FormatId;
  readonly to: readonly FormatId[];
  readonly bytes: () => string | Buffer | Promise<Buffer>;
}

export const attack = (from: FormatId, to: readonly FormatId[], name: string, bytes: Attack["bytes"]): Attack => ({
  name,
  from,
  to,
  bytes,
});

/** @returns the texts for each number from 1 on, concatenated */
export const repeated = (one: (number: number) => string, times = 10): string =>
  Array.from({ length: times }, (_, index) => one(index + 1)).join("");

/** @returns the bytes of the format's sample */
export const sample = (extension: string): Buffer => readFileSync(fixture(`sample.${extension}`));

/** @returns the sample, a zip, with these members replaced or added */
export const withMembers = (extension: string, members: readonly RawMember[]): Promise<Buffer> =>
  readZip(fixture(`sample.${extension}`), async (zip) => {
    const own: RawMember[] = [];
    for (const name of zip.paths.filter((path) => members.every((member) => member.name !== path))) {
      own.push({ name, bytes: (await zip.read(name)) ?? "" });
    }
    return zipOf([...own, ...members]);
  });

/** @returns the text of a member of the sample, a zip */
export const memberOf = (extension: string, name: string): Promise<string> =>
  readZip(fixture(`sample.${extension}`), async (zip) => String(await zip.read(name)));

/** @returns the sample, a zip, with a member changed by `change` */
export const withMember = async (extension: string, name: string, change: (text: string) => string): Promise<Buffer> =>
  withMembers(extension, [{ name, bytes: change(await memberOf(extension, name)) }]);

/** @returns the bytes, overwritten at an offset */
export const patched = (bytes: Buffer, offset: number, hex: string): Buffer => {
  const copy = Buffer.from(bytes);
  Buffer.from(hex, "hex").copy(copy, offset);
  return copy;
};
