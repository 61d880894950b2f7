import { open, readFile } from "node:fs/promises";
import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats.ts";
import type { EngineTask } from "../engine.ts";
import { checkRepeatedCells } from "../io/repeated-cells.ts";
import { readZip } from "../io/zip-reader.ts";

/**
 * Looks into a document before LibreOffice does, which would take all its time or memory for some of a few kilobytes: a
 * part of a gigabyte of zeros, a cell that says it stands a billion times, tables in a hundred tables.
 *
 * @throws JobError `archive_unsafe`, `output_too_large`, `unsupported_feature`
 */
export const checkSource = async (task: EngineTask): Promise<void> => {
  if (await isZip(task.input)) {
    await checkPackage(task);
  } else if (FLAT.test(task.from)) {
    checkXml((await readFile(task.input)).toString("latin1"), task);
  }
};

/** OpenDocuments that are one XML. */
const FLAT = /^fod[gpst]$/;

/** Also what is no zip may be called so: OOXML that is encrypted is none. */
const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1", 0, bytesRead) === "PK\u0003\u0004";
  } finally {
    await file.close();
  }
};

/** Parts that are read as a whole; pictures are unpacked one at a time, and only where they are drawn. */
const READ = /\.(?:xml|rels|bin|rdf)$/i;

const checkPackage = async (task: EngineTask): Promise<void> => {
  try {
    await readZip(task.input, async (zip) => {
      for (const path of zip.paths.filter((each) => READ.test(each))) {
        checkXml((await zip.read(path))?.toString("latin1") ?? "", task);
      }
    });
  } catch (error) {
    // What is damaged, or encrypted, LibreOffice may read all the same, and tells better if it does not.
    if (!(error instanceof JobError && PASSED.includes(error.code))) {
      throw error;
    }
  }
};

const PASSED: readonly JobError["code"][] = ["source_corrupt", "password_required"];

const checkXml = (xml: string, task: EngineTask): void => {
  checkTables(xml, task);
  checkRepeatedCells(xml);
};

/** Tables in one another: LibreOffice sets 80 in a second, and never ends with 100. People need three. */
const TABLES_NESTED_MAX = 50;

/** The tags of tables in OOXML and OpenDocument; a `<` cannot stand within a tag, so each is looked through once. */
const TABLE = /<(\/?)(?:[\w.-]{1,40}:)?(?:tbl|table)(?=[\s/>])[^<>]*?(\/?)>/g;

const checkTables = (xml: string, { from }: EngineTask): void => {
  let depth = 0;
  for (const [, close, closed] of xml.matchAll(TABLE)) {
    depth += close ? -1 : closed ? 0 : 1;
    if (depth > TABLES_NESTED_MAX) {
      const { name } = formatOf(from);
      throw new JobError(
        "unsupported_feature",
        `The ${name} has tables in one another over ${TABLES_NESTED_MAX} deep, which is the most that can be set.`,
      );
    }
  }
};
