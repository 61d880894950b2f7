import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { de } from "../../dashboard/text/de.ts";
import { en } from "../../dashboard/text/en.ts";
import { jobErrors, requestErrors, uploadErrors } from "../../functions/domain/errors.ts";

const pages = join(import.meta.dirname, "../../dashboard");

/** A text, or what makes one of numbers and names. */
interface Leaf {
  readonly path: string;
  readonly kind: string;
  readonly texts: readonly string[];
}

/** Names and numbers that texts are made of: with 0, 1 and more of everything, where plurals differ. */
const samples = [0, 1, 2, 1_000, "a.heic"] as const;

type Make = (...values: unknown[]) => unknown;

/** @returns the text that is made when everything in it is the sample, which some functions take by names */
const madeOf = (make: Make, count: number, sample: unknown): string => {
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
      madeOf((...values) => Reflect.apply(value, undefined, values), value.length, sample),
    );
    return [{ path, kind: `function of ${value.length}`, texts: all }];
  }
  return Object.entries(Object(value)).flatMap(([name, inner]) => leaves(inner, `${path}/${name}`));
};

describe("the texts", () => {
  const english = leaves(en);
  const german = leaves(de);

  it("has the same texts in every language, made of the same things", () => {
    const shape = (all: readonly Leaf[]) => Object.fromEntries(all.map(({ path, kind }) => [path, kind]));
    expect(shape(german)).toEqual(shape(english));
  });

  it.each([
    ["English", english],
    ["German", german],
  ])("has no text in %s that is empty or shows how it is made", (_, all) => {
    const bad = all.filter(({ texts }) =>
      texts.some((text) => text.trim() === "" || /undefined|\[object|NaN|\$\{/.test(text)),
    );
    expect(bad).toEqual([]);
  });

  it("is translated: what is alike in both languages is a name or a word of both", () => {
    const same = german.filter(({ path, texts }) => {
      const [text = ""] = texts;
      const source = english.find((leaf) => leaf.path === path)?.texts[0];
      return text === source && (text.match(/\p{Letter}{2,}/gu)?.length ?? 0) > SAME_WORDS_MAX;
    });
    expect(same.map(({ path }) => path)).toEqual([]);
  });

  it("has words for everything that can go wrong", () => {
    const codes = [requestErrors, uploadErrors, jobErrors].flatMap((table) => Object.keys(table));
    expect(codes.filter((code) => !Object.hasOwn(en.problems, code))).toEqual([]);
  });
});

/** Names, units and code of two or three words are alike in both. */
const SAME_WORDS_MAX = 3;

/** Letters between tags, and attributes that are read aloud or shown. */
const shown = [
  />([^<>{}]*\p{Letter}{2,}[^<>{}]*)<\//gu,
  /\b(?:alt|aria-label|label|placeholder|title)="([^"]*\p{Letter}[^"]*)"/gu,
];

/** The brand, addresses, and the beginning of a secret are the same in every language. */
const SAME_EVERYWHERE = /^(?:Anyform|https?:\/\/\S*|whsec_\S*)$/u;

/** @returns what stands in the source of a component and should be a text */
const ownWords = (source: string): string[] => {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gmu, "").replaceAll("=>", "");
  return shown
    .flatMap((pattern) => [...code.matchAll(pattern)].map(([, words = ""]) => words.trim()))
    .filter((words) => !SAME_EVERYWHERE.test(words) && !isTypes(words));
};

/** `<T>(read: () => void)</` looks like a tag with words in it. */
const isTypes = (words: string): boolean => /[;=()|&]/.test(words);

describe("the components", () => {
  it("finds words of a component's own, wherever they stand", () => {
    expect(ownWords("const A = () => <p>Hello there</p>;")).toEqual(["Hello there"]);
    expect(ownWords('const A = () => <Button label="Send">{text.send}</Button>;')).toEqual(["Send"]);
    expect(ownWords("/** <p>Not this</p> */ const A = () => <p>{text.hello} · </p>;")).toEqual([]);
  });

  it("shows no words but those of the texts", () => {
    const files = globSync("**/*.tsx", { cwd: pages });
    expect(files.length).toBeGreaterThan(10);
    const found = files.flatMap((file) =>
      ownWords(readFileSync(join(pages, file), "utf8")).map((words) => `${file}: ${words}`),
    );
    expect(found).toEqual([]);
  });
});
