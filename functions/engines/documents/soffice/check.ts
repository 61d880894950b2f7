import { open, readFile } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import { readZip, type ZipDocument } from "../../archives/zip/reader.ts";
import type { EngineTask } from "../../core/engine.ts";
import { checkRepeatedCells } from "../../data/tables/repeated-cells.ts";

/**
 * Checks a document before LibreOffice opens it. Some files of a few kilobytes would take all its time or memory: a
 * part with a gigabyte of zeros, a cell repeated a billion times, tables nested a hundred deep.
 *
 * @throws JobError `archive_unsafe`, `output_too_large`, `unsupported_feature`, `password_required` for an encryption that
 * LibreOffice does not support
 */
export const checkSource = async (task: EngineTask): Promise<void> => {
  if (await isZip(task.input)) {
    await checkPackage(task);
  } else if (FLAT.test(task.from)) {
    checkXml((await readFile(task.input)).toString("latin1"), task);
  }
};

/** OpenDocument formats in a single XML file. */
const FLAT = /^fod[gpst]$/;

/** A file with a zip format's extension may not be a zip: encrypted OOXML is not. */
const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1", 0, bytesRead) === "PK\u0003\u0004";
  } finally {
    await file.close();
  }
};

/** Parts that are read in full. Pictures are decompressed one at a time, and only when drawn. */
const READ = /\.(?:xml|rels|bin|rdf)$/i;

const checkPackage = async (task: EngineTask): Promise<void> => {
  try {
    const check = async (zip: ZipDocument): Promise<void> => {
      for (const path of zip.paths.filter((each) => READ.test(each))) {
        checkXml((await zip.read(path))?.toString("latin1") ?? "", task);
      }
    };
    await readZip(task.input, check, task.from);
  } catch (error) {
    // LibreOffice may still open damaged files, and reports a more precise error if it does not.
    if (!(error instanceof JobError && error.code === "source_corrupt")) {
      throw error;
    }
  }
};

const checkXml = (xml: string, task: EngineTask): void => {
  checkTables(xml, task);
  checkRepeatedCells(xml);
};

/**
 * Nested tables: LibreOffice lays out 80 levels in a second, and never finishes with 100. Real documents need three.
 */
const TABLES_NESTED_MAX = 50;

/** Table tags in OOXML and OpenDocument. A tag never contains `<`, so each is scanned once. */
const TABLE = /<(\/?)(?:[\w.-]{1,40}:)?(?:tbl|table)(?=[\s/>])[^<>]*?(\/?)>/g;

const checkTables = (xml: string, { from }: EngineTask): void => {
  let depth = 0;
  for (const [, close, closed] of xml.matchAll(TABLE)) {
    depth += close ? -1 : closed ? 0 : 1;
    if (depth > TABLES_NESTED_MAX) {
      const { name } = formatOf(from);
      throw new JobError(
        "unsupported_feature",
        `The ${name} has tables nested more than ${TABLES_NESTED_MAX} deep, which is the limit.`,
        { isFinal: true },
      );
    }
  }
};
