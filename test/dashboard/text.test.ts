import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { de } from "../../dashboard/text/de.ts";
import { en } from "../../dashboard/text/en.ts";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import { requestErrors } from "../../functions/domain/errors/request-errors.ts";
import { uploadErrors } from "../../functions/domain/errors/upload-errors.ts";

const pages = join(import.meta.dirname, "../../dashboard");

/** A text, or a function that builds one from numbers and names. */
interface Leaf {
  readonly path: string;
  readonly kind: string;
  readonly texts: readonly string[];
}

/** Arguments of text functions: 0, 1 and more, because plurals differ, and a name. */
const samples = [0, 1, 2, 1_000, "a.heic"] as const;

type Make = (...values: unknown[]) => unknown;

/** @returns the text with the sample for every argument; some functions take an object */
const textOf = (make: Make, count: number, sample: unknown): string => {
  const withAll = (value: unknown): string => String(make(...Array.from({ length: count }, () => value)));
  const plain = withAll(sample);
  return plain.includes("undefined") ? withAll(new Proxy({}, { get: () => sample })) : plain;
};

/** @returns every text of a language, by its path */
const leaves = (value: unknown, path = ""): Leaf[] => {
  if (typeof value === "string") {
    return [{ path, kind: "text", texts: [value] }];
  }
  if (typeof value === "function") {
    const all = samples.map((sample) =>
      textOf((...values) => Reflect.apply(value, undefined, values), value.length, sample),
    );
    return [{ path, kind: `function of ${value.length}`, texts: all }];
  }
  return Object.entries(Object(value)).flatMap(([name, inner]) => leaves(inner, `${path}/${name}`));
};

describe("the texts", () => {
  const english = leaves(en);
  const german = leaves(de);

  it("have the same keys and arguments in every language", () => {
    const shape = (all: readonly Leaf[]) => Object.fromEntries(all.map(({ path, kind }) => [path, kind]));
    expect(shape(german)).toEqual(shape(english));
  });

  it.each([
    ["English", english],
    ["German", german],
  ])("has no %s text that is empty or contains a placeholder", (_, all) => {
    const bad = all.filter(({ texts }) =>
      texts.some((text) => text.trim() === "" || /undefined|\[object|NaN|\$\{/.test(text)),
    );
    expect(bad).toEqual([]);
  });

  it("are translated: only names and very short texts are the same in both languages", () => {
    const same = german.filter(({ path, texts }) => {
      const [text = ""] = texts;
      const source = english.find((leaf) => leaf.path === path)?.texts[0];
      return text === source && (text.match(/\p{Letter}{2,}/gu)?.length ?? 0) > SAME_WORDS_MAX;
    });
    expect(same.map(({ path }) => path)).toEqual([]);
  });

  it("cover every error code", () => {
    const codes = [requestErrors, uploadErrors, jobErrors].flatMap((table) => Object.keys(table));
    expect(codes.filter((code) => !Object.hasOwn(en.problems, code))).toEqual([]);
  });
});

/** Names, units and code of up to three words may be the same. */
const SAME_WORDS_MAX = 3;

/** Text between tags, and attributes that are displayed or read by screen readers. */
const shown = [
  />([^<>{}]*\p{Letter}{2,}[^<>{}]*)<\//gu,
  /\b(?:alt|aria-label|label|placeholder|title)="([^"]*\p{Letter}[^"]*)"/gu,
];

/** The brand, URLs, and the prefix of a secret are the same in every language. */
const SAME_EVERYWHERE = /^(?:Anyform|https?:\/\/\S*|whsec_\S*)$/u;

/** @returns words in a component's source that should be texts */
const hardCodedWords = (source: string): string[] => {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gmu, "").replaceAll("=>", "");
  return shown
    .flatMap((pattern) => [...code.matchAll(pattern)].map(([, words = ""]) => words.trim()))
    .filter((words) => !SAME_EVERYWHERE.test(words) && !isTypes(words));
};

/** `<T>(read: () => void)</` looks like a tag with text in it. */
const isTypes = (words: string): boolean => /[;=()|&]/.test(words);

describe("the components", () => {
  it("are searched for hard-coded words in text and attributes", () => {
    expect(hardCodedWords("const A = () => <p>Hello there</p>;")).toEqual(["Hello there"]);
    expect(hardCodedWords('const A = () => <Button label="Send">{text.send}</Button>;')).toEqual(["Send"]);
    expect(hardCodedWords("/** <p>Not this</p> */ const A = () => <p>{text.hello} · </p>;")).toEqual([]);
  });

  it("have no hard-coded words", () => {
    const files = globSync("**/*.tsx", { cwd: pages });
    expect(files.length).toBeGreaterThan(10);
    const found = files.flatMap((file) =>
      hardCodedWords(readFileSync(join(pages, file), "utf8")).map((words) => `${file}: ${words}`),
    );
    expect(found).toEqual([]);
  });
});
