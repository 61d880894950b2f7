import { JobError } from "../../domain/errors.ts";
import type { Span } from "./json-elements.ts";
import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_END,
  type Mark,
  marksOf,
  newScan,
  OPEN_ARRAY,
  OPEN_OBJECT,
} from "./json-scan.ts";
import { readChunks } from "./text-chunks.ts";

/** A member of the outermost object of a JSON text. */
export interface Member {
  readonly key: string;
  /** Of its value. */
  readonly span: Span;
  readonly kind: "array" | "object" | "value";
  /** Of an array: whether its first element is an object. */
  readonly ofObjects: boolean;
}

/**
 * `sequence`: values that follow each other, of which one alone is one too, when it is neither array nor object.
 */
export type Outline =
  | { readonly kind: "array" | "sequence" }
  | { readonly kind: "object"; readonly members: readonly Member[] };

/** Members of an object that are looked at; one with more is a record like any other. */
const MEMBERS_MAX = 10_000;

/**
 * Looks at the outermost value of a JSON text in UTF-8 of any size.
 *
 * @throws JobError `source_corrupt` when the text breaks off
 */
export const outlineOf = async (path: string, span?: Span): Promise<Outline> => {
  const first = await firstByte(path, span);
  if (first !== OPEN_OBJECT) {
    return { kind: first === OPEN_ARRAY ? "array" : "sequence" };
  }
  const state = newScan();
  const finder = findingMembers();
  let base = span?.start ?? 0;
  for await (const chunk of readChunks(path, { ...span })) {
    for (const mark of marksOf(state, chunk, base)) {
      if (!finder.take(mark, chunk, base)) {
        return { kind: "sequence" };
      }
    }
    finder.keep(chunk, base);
    base += chunk.length;
  }
  if (state.depth !== 0 || state.inText) {
    throw new JobError("source_corrupt", "The JSON breaks off before its end.");
  }
  return { kind: "object", members: await Promise.all(finder.members.map((member) => settled(path, member))) };
};

/** What an array begins with may stand in the chunk behind its bracket. */
const settled = async (path: string, { ofObjects, ...member }: Found): Promise<Member> => {
  const { start, end } = member.span;
  const first = async () => firstByte(path, { start: await openingOf(path, { start, end }), end });
  return { ...member, ofObjects: ofObjects ?? (await first()) === OPEN_OBJECT };
};

const openingOf = async (path: string, { start, end }: Span): Promise<number> => {
  let base = start;
  for await (const chunk of readChunks(path, { start, end })) {
    const at = chunk.indexOf(OPEN_ARRAY);
    if (at !== -1) {
      return base + at + 1;
    }
    base += chunk.length;
  }
  return base;
};

const firstByte = async (path: string, span?: Span): Promise<number | undefined> => {
  for await (const chunk of readChunks(path, { ...span })) {
    const start = chunk[0] === 0xef && chunk[1] === 0xbb ? 3 : 0;
    const found = chunk.subarray(start).find((byte) => byte > 0x20);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
};

/** Bytes before a colon that are kept to read its key from. */
const KEY_BYTES_MAX = 10_000;

/** A member, of which it may still be open what its array begins with. */
type Found = Omit<Member, "ofObjects"> & { readonly ofObjects: boolean | undefined };

/** Finds the members of an object by the marks within it. */
const findingMembers = () => {
  const members: Found[] = [];
  let before = Buffer.alloc(0);
  let objects = 0;
  let boundary = 0;
  let value: { key: string; start: number; first: number; second: number } | undefined;
  const end = (at: number): void => {
    if (value !== undefined) {
      const kind = value.first === OPEN_ARRAY ? "array" : value.first === OPEN_OBJECT ? "object" : "value";
      const ofObjects = kind === "array" && value.second === 0 ? undefined : value.second === OPEN_OBJECT;
      members.push({ key: value.key, span: { start: value.start, end: at }, kind, ofObjects });
      value = undefined;
    }
  };
  /** The chunk before is only taken along where the key began there: an object may have a key every four bytes. */
  const sinceBoundary = (chunk: Buffer, base: number, at: number): Buffer =>
    boundary >= base
      ? chunk.subarray(boundary - base, at - base)
      : Buffer.concat([before.subarray(Math.max(0, boundary - base + before.length)), chunk.subarray(0, at - base)]);
  return {
    members,
    /** @returns false when the text holds more than one object, or more members than are looked at */
    take: ({ code, at, depth }: Mark, chunk: Buffer, base: number): boolean => {
      if (depth === 0) {
        objects += code === OPEN_OBJECT || code === OPEN_ARRAY ? 1 : 0;
        if (code === CLOSE_OBJECT) {
          end(at);
        }
        boundary = code === LINE_END ? boundary : at + 1;
        return objects <= 1 && members.length <= MEMBERS_MAX;
      }
      if (code === COLON) {
        value = { key: keyOf(sinceBoundary(chunk, base, at)), start: at + 1, first: 0, second: 0 };
      } else if (code === COMMA) {
        end(at);
        boundary = at + 1;
        return members.length <= MEMBERS_MAX;
      } else if (value !== undefined && value.first === 0 && (code === OPEN_ARRAY || code === OPEN_OBJECT)) {
        value.first = code;
        value.second = chunk.subarray(at - base + 1).find((byte) => byte > 0x20) ?? 0;
      }
      return true;
    },
    keep: (chunk: Buffer, base: number): void => {
      const from = Math.max(boundary - base, chunk.length - KEY_BYTES_MAX, 0);
      before = Buffer.from(chunk.subarray(from));
    },
  };
};

const keyOf = (bytes: Buffer): string => {
  try {
    return String(JSON.parse(bytes.toString("utf8").trim()));
  } catch (error) {
    throw new JobError("source_corrupt", "The JSON is not valid: an object has a key that is none.", { cause: error });
  }
};
