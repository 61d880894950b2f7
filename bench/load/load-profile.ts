import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { makeInputs } from "../support/inputs.ts";
import { makeDocx } from "../support/office.ts";

/** Composition of the load: mostly small images, with some longer conversions. */
export interface Kind {
  readonly name: string;
  readonly input: string;
  readonly from: FormatId;
  readonly to: FormatId;
  /** Percentage of conversions. */
  readonly share: number;
  /** Whether the client polls for the end; otherwise its request waits. */
  readonly polls: boolean;
}

const TABLE_ROWS = 10_000;

/** Creates the files in the folder. Office documents require LibreOffice. */
export const makeProfile = async (folder: string): Promise<readonly Kind[]> => {
  const { small, medium } = await makeInputs(folder, undefined);
  const table = join(folder, "table.csv");
  const rows = Array.from({ length: TABLE_ROWS }, (_, row) => `${row},ship ${row},${row / 7},2026-11-22`);
  await writeFile(table, ["id,name,weight,date", ...rows].join("\n"));
  const pages = join(import.meta.dirname, "../../test/fixtures/sample.pdf");
  const office: Kind[] = installedEngines().has("soffice")
    ? [{ name: "DOCX → PDF", input: await makeDocx(folder), from: "docx", to: "pdf", share: 2, polls: true }]
    : [];
  return [
    { name: "small PNG → JPG", input: small, from: "png", to: "jpg", share: 50, polls: false },
    { name: "small PNG → JPG, polled", input: small, from: "png", to: "jpg", share: 20, polls: true },
    { name: "6 MP JPG → WebP", input: medium, from: "jpg", to: "webp", share: 10, polls: false },
    { name: "PDF → PNG", input: pages, from: "pdf", to: "png", share: 8, polls: true },
    { name: "CSV → JSON", input: table, from: "csv", to: "json", share: 10, polls: false },
    ...office,
  ];
};

/** @param share a number from 0 to 1 @returns the kind at this point of the cumulative distribution */
export const kindAt = (kinds: readonly Kind[], share: number): Kind => {
  let left = share * kinds.reduce((sum, kind) => sum + kind.share, 0);
  const found = kinds.find((kind) => {
    left -= kind.share;
    return left < 0;
  });
  const last = found ?? kinds.at(-1);
  if (last === undefined) {
    throw new TypeError("The profile is empty.");
  }
  return last;
};
