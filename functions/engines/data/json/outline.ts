import { JobError } from "../../../domain/errors.ts";
import { readChunks } from "../text/chunks.ts";
import type { Span } from "./elements.ts";
import { CLOSE_OBJECT, COLON, COMMA, LINE_END, type Mark, marksOf, newScan, OPEN_ARRAY, OPEN_OBJECT } from "./scan.ts";

/** A member of the outermost object of a JSON text. */
export interface Member {
  readonly key: string;
  /** Range of its value. */
  readonly span: Span;
  readonly kind: "array" | "object" | "value";
  /** For an array: whether its first element is an object. */
  readonly ofObjects: boolean;
}

/**
 * `sequence`: values that follow each other. A single value is one, too, unless it is an array or an object.
 */
export type Outline =
  | { readonly kind: "array" | "sequence" }
  | { readonly kind: "object"; readonly members: readonly Member[] };

/** Maximum members of an object to examine; an object with more is treated as a record. */
const MEMBERS_MAX = 10_000;

/**
 * Examines the outermost value of a UTF-8 JSON text of any size.
 *
 * @throws JobError `source_corrupt` when the text is truncated
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
    throw new JobError("source_corrupt", "The JSON is truncated.");
  }
  return { kind: "object", members: await Promise.all(finder.members.map((member) => settled(path, member))) };
};

/** The first element of an array may be in the chunk after its bracket. */
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

/** Maximum bytes before a colon that are kept to read its key. */
const KEY_BYTES_MAX = 10_000;

/** A member for which the first element of its array may still be unknown. */
type Found = Omit<Member, "ofObjects"> & { readonly ofObjects: boolean | undefined };

/** Finds the members of an object from its structural marks. */
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
  /** Copies the previous chunk only when the key starts there: an object may have a key every four bytes. */
  const sinceBoundary = (chunk: Buffer, base: number, at: number): Buffer =>
    boundary >= base
      ? chunk.subarray(boundary - base, at - base)
      : Buffer.concat([before.subarray(Math.max(0, boundary - base + before.length)), chunk.subarray(0, at - base)]);
  return {
    members,
    /** @returns false when the text has more than one object, or more than the maximum number of members */
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
    throw new JobError("source_corrupt", "Invalid JSON: an object has an invalid key.", { cause: error });
  }
};
