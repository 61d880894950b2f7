import { StringDecoder } from "node:string_decoder";
import { runProgram } from "../../core/program.ts";
import type { Budget } from "../archive/budget.ts";
import type { RawEntry } from "../archive/entry.ts";
import type { Listed } from "./contents.ts";
import { sevenZipError } from "./errors.ts";
import { type Reading, readingRun } from "./run.ts";

/**
 * Lists an archive with 7-Zip, and checks the declared sizes before anything is unpacked.
 *
 * @throws JobError `archive_unsafe`, `source_corrupt`, `password_required`, `unsupported_feature`
 */
export const listedBy7zz = async (reading: Reading, budget: Budget): Promise<Listed[]> => {
  const entries: Listed[] = [];
  const properties = new Map<string, string>();
  const close = (): void => {
    if (properties.has(PATH)) {
      const entry = listedOf(properties);
      budget.entry();
      budget.bytes(entry.streamed);
      entries.push(entry);
      properties.clear();
    }
  };
  const onLine = (line: string): void => {
    const [, key = "", value = ""] = /^([A-Z][\w -]*) = (.*)$/.exec(line) ?? [];
    // The first property of each entry.
    if (key === PATH) {
      close();
    }
    if (key !== "") {
      properties.set(key, value);
    }
  };
  const lines = byLine(onLine);
  const run = readingRun(["l", "-slt", "-ba", "-sccUTF-8"], reading);
  const { code, stderr } = await runProgram({ ...run, onOutput: lines.take });
  lines.end();
  close();
  if (code !== 0) {
    throw sevenZipError(stderr, reading.name);
  }
  return entries;
};

const PATH = "Path";

const byLine = (onLine: (line: string) => void) => {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    take: (chunk: Buffer): void => {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(onLine);
    },
    end: (): void => onLine(rest),
  };
};

/** Permissions in the notation of ls(1), after the letter for the file type. */
const PERMISSIONS = /([-bcdlps])([-r][-w][-xsS][-r][-w][-xsS][-r][-w][-xtT])$/;
const KINDS: Partial<Record<string, RawEntry["kind"]>> = { "-": "file", d: "folder", l: "symlink" };
/** Letters of Windows attributes (7-Zip, Windows/PropVariantConv.cpp): a directory, and a reparse point. */
const DIRECTORY = /^[A-Z]*D/;
const REPARSE_POINT = /^[A-Z]*L/;

const listedOf = (properties: ReadonlyMap<string, string>): Listed => {
  const attributes = properties.get("Attributes") ?? "";
  const [, letter = "", bits = ""] = PERMISSIONS.exec(properties.get("Mode") || attributes) ?? [];
  const folder = properties.get("Folder") === "+" || DIRECTORY.test(attributes) || letter === "d";
  const target = properties.get("Symbolic Link") || properties.get("Hard Link") || "";
  const kind = folder
    ? "folder"
    : target !== "" && letter === ""
      ? "symlink"
      : REPARSE_POINT.test(attributes)
        ? "special"
        : letter === ""
          ? "file"
          : (KINDS[letter] ?? "special");
  const bytes = folder ? 0 : Number(properties.get("Size") || 0);
  const crc = /^[0-9A-F]{8}$/.exec(properties.get("CRC") ?? "")?.[0];
  return {
    path: properties.get(PATH) ?? "",
    kind,
    modified: timeOf(properties.get("Modified") ?? ""),
    mode: modeOf(bits),
    bytes,
    streamed: bytes,
    ...(target !== "" && { target }),
    // LZH has a 16-bit checksum in the same field.
    ...(crc !== undefined && !crc.startsWith("0000") && { crc: Number.parseInt(crc, 16) }),
  };
};

/** @returns the time `2024-02-29 12:34:56.1234567` in UTC; an invalid date when there is none */
const timeOf = (text: string): Date => new Date(`${text.replace(" ", "T").slice(0, 23)}Z`);

const modeOf = (bits: string): number =>
  Array.from(bits).reduce((mode, letter) => mode * 2 + (/[rwxst]/.test(letter) ? 1 : 0), 0);
