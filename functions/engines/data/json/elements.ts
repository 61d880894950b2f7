import { JSON_RECORD_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type BytesRead, readChunks } from "../text/chunks.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, LINE_END, type Mark, marksOf, newScan } from "./scan.ts";

/** The byte range of a part of a JSON text in its file. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `array`: the values are the elements of one array. `sequence`: they follow each other, as in NDJSON. */
export type Sequence = "array" | "sequence";

/**
 * Reads the values of a UTF-8 JSON text of any size in sequence. It only finds where each one ends; errors inside a
 * value are found when it is parsed.
 *
 * @returns the texts of the values, in batches of those that end in the same chunk
 * @throws JobError `source_corrupt` when the text is truncated or has content after the array; `unsupported_feature`
 * for a value over {@link JSON_RECORD_BYTES_MAX} bytes
 */
export const readElements = async function* (
  path: string,
  kind: Sequence,
  { span, bytesRead }: { span?: Span | undefined; bytesRead?: BytesRead | undefined } = {},
): AsyncGenerator<string[]> {
  const state = newScan();
  const collector = collecting(kind);
  let base = span?.start ?? 0;
  for await (const chunk of readChunks(path, { ...span, bytesRead })) {
    const marks = marksOf(state, chunk, base);
    yield collector.take(chunk, base, marks);
    base += chunk.length;
  }
  if (state.depth !== 0 || state.inText) {
    throw new JobError("source_corrupt", "The JSON is truncated.");
  }
  yield collector.rest();
};

/** Assembles the texts of values, whose bytes may span several chunks. */
const collecting = (kind: Sequence) => {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let values = 0;
  let over = false;
  const finish = (bytes: Buffer): string => {
    const text = (kept.length === 0 ? bytes : Buffer.concat([...kept, bytes])).toString("utf8");
    [kept, keptBytes] = [[], 0];
    return trimmed(text);
  };
  const keep = (bytes: Buffer): void => {
    if (bytes.length === 0) {
      return;
    }
    kept.push(Buffer.from(bytes));
    keptBytes += bytes.length;
    if (keptBytes > JSON_RECORD_BYTES_MAX) {
      throw new JobError(
        "unsupported_feature",
        `A value of the JSON has more than ${JSON_RECORD_BYTES_MAX} bytes, the maximum.`,
      );
    }
  };
  /** Empty elements are allowed only in `[]`; a sequence may have blank lines. */
  const checked = (text: string, last: boolean): string[] => {
    if (text === "" && kind === "array" && !(last && values === 0)) {
      throw new JobError("source_corrupt", `Missing array element after item ${values} (trailing comma?).`);
    }
    values += text === "" ? 0 : 1;
    return text === "" ? [] : [text];
  };
  return {
    take: (chunk: Buffer, base: number, marks: readonly Mark[]): string[] => {
      const texts: string[] = [];
      let at = 0;
      for (const mark of marks) {
        const here = mark.at - base;
        if (kind === "array" && mark.depth === 0 && mark.code !== LINE_END && !over && mark.code !== CLOSE_ARRAY) {
          // The opening bracket of the array.
          [kept, keptBytes, at] = [[], 0, here + 1];
          continue;
        }
        if (!endsValue(kind, mark) || over) {
          continue;
        }
        const end = kind === "sequence" && mark.code !== LINE_END ? here + 1 : here;
        over = kind === "array" && mark.depth === 0;
        texts.push(...checked(finish(chunk.subarray(at, end)), over));
        at = kind === "array" ? here + 1 : end;
      }
      keep(chunk.subarray(at));
      return texts;
    },
    rest: (): string[] => {
      const text = finish(Buffer.alloc(0));
      if (kind === "array" && text !== "") {
        throw new JobError("source_corrupt", "The JSON has content after its end.");
      }
      return text === "" ? [] : [text];
    },
  };
};

const endsValue = (kind: Sequence, { code, depth }: Mark): boolean =>
  kind === "array"
    ? (code === COMMA && depth === 1) || (code === CLOSE_ARRAY && depth === 0)
    : depth === 0 && (code === LINE_END || code === CLOSE_ARRAY || code === CLOSE_OBJECT);

/** White space, byte order mark, and the separator of RFC 7464. A regex would search for the end from every space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator is a control character
const AROUND = /[\s\ufeff\u001e]/;
const trimmed = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && !isBare(text.charCodeAt(start)) && AROUND.test(text[start] ?? "")) {
    start += 1;
  }
  while (end > start && !isBare(text.charCodeAt(end - 1)) && AROUND.test(text[end - 1] ?? "")) {
    end -= 1;
  }
  return text.slice(start, end);
};

/** @returns whether a character is ASCII and not white space, as most first and last characters of values are */
const isBare = (code: number): boolean => code > 0x20 && code < 0x7f;
