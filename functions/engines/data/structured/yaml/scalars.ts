import type { ScalarEvent } from "js-yaml";
import { SCALAR_STYLE } from "js-yaml";
import { corrupt } from "../codec.ts";
import { momentOf } from "../moments.ts";
import type { Notes } from "../notes.ts";
import { integerOf, numberOf } from "../numbers.ts";
import type { Tree } from "../tree.ts";

/** Plain scalars of the core schema (YAML 1.2.2, 10.3.2), and the dates of YAML 1.1, which people expect. */

const NULL = /^(?:~|null|Null|NULL|)$/;
const TRUE = /^(?:true|True|TRUE)$/;
const FALSE = /^(?:false|False|FALSE)$/;
const INTEGER = /^[-+]?\d+$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[\da-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;
/** Possible first characters of plain scalars that are not strings. */
const TELLING = /^[-+.\d~nNtTfF]|^$/;

/** @returns the value of a scalar without quotes and tag */
export const plainScalar = (text: string): Tree => {
  if (!TELLING.test(text)) {
    return text;
  }
  if (NULL.test(text)) {
    return null;
  }
  if (TRUE.test(text) || FALSE.test(text)) {
    return TRUE.test(text);
  }
  return numberIn(text) ?? momentOf(text) ?? text;
};

const numberIn = (text: string): Tree | undefined => {
  if (INTEGER.test(text)) {
    if (/^-0+$/.test(text)) {
      return { kind: "decimal", text: "-0" };
    }
    return integerOf(BigInt(text.replace(/^\+/, "")));
  }
  if (OCTAL.test(text) || HEXADECIMAL.test(text)) {
    return integerOf(BigInt(text));
  }
  if (FLOAT.test(text)) {
    return numberOf(jsonNumber(text));
  }
  if (INFINITE.test(text)) {
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return NOT_A_NUMBER.test(text) ? Number.NaN : undefined;
};

/** @returns a number in JSON notation: no plus sign, no leading zeros, a digit on each side of the point */
const jsonNumber = (text: string): string => {
  const [, sign = "", integer = "", fraction = "", power = ""] =
    /^[+]?(-?)0*(\d*)\.?(\d*)((?:[eE].*)?)$/.exec(text) ?? [];
  const digits = fraction === "" && power === "" ? "0" : fraction;
  return `${sign}${integer || "0"}${digits === "" ? "" : `.${digits}`}${power}`;
};

/** @returns whether the key is an unquoted `<<` */
export const isMerge = (text: string, { valueStart, valueEnd, style }: ScalarEvent): boolean =>
  style === SCALAR_STYLE.PLAIN && text.slice(valueStart, valueEnd) === "<<";

const TAGS: Readonly<Record<string, (text: string) => Tree | undefined>> = {
  str: (text) => text,
  null: () => null,
  bool: (text) => (TRUE.test(text) || FALSE.test(text) ? TRUE.test(text) : undefined),
  int: numberIn,
  float: (text) => numberIn(INTEGER.test(text) ? `${text}.0` : text),
  binary: (text) => Buffer.from(text, "base64"),
  timestamp: momentOf,
};

/** @returns the value of a tagged scalar. With an unknown tag, the value is kept and the tag is noted */
export const taggedScalar = (tag: string, text: string, notes: Notes): Tree => {
  const name = /^(?:!!|!<tag:yaml\.org,2002:)(\w+)>?$/.exec(tag)?.[1] ?? "";
  if (!Object.hasOwn(TAGS, name)) {
    if (tag !== "!") {
      notes.add("tags_dropped");
    }
    return tag === "!" ? text : plainScalar(text);
  }
  const value = TAGS[name]?.(text);
  if (value === undefined) {
    throw corrupt(`Invalid YAML: ${JSON.stringify(text.slice(0, 50))} is not a valid ${tag}.`);
  }
  return value;
};
