import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** The words that docs/style-guide.md retires stay out of source, texts, tests and documents. */

const root = join(import.meta.dirname, "..");

interface Retired {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly write: string;
  /** Where the rule applies. @default everywhere */
  readonly below?: string;
}

const retired: readonly Retired[] = [
  { pattern: /\btold\b/i, write: "detected, reported" },
  { pattern: /\btells\b/i, write: "detects, reports, shows" },
  { pattern: /\bbesides?\b/i, write: "with, next to, in addition to" },
  {
    pattern: /\bbehind\b(?! (?:a|an|the|its|your) (?:\w+ )?(?:proxy|proxies|distribution|load balancer))/i,
    write: "after, below",
  },
  { pattern: /(?<!\bthere )\bis no (?!longer\b|more than\b|less than\b)/i, write: "is not a" },
  { pattern: /\bhas not (?:a|an|the|one|two|three|its|any|all|that|such)\b/i, write: "does not have" },
  { pattern: /\basked for\b/i, write: "requested, opt-in" },
  { pattern: /\bof (?:its|their|his|our|your|one's) own\b/i, write: "separate, or leave it out" },
  { pattern: /\bof (?:ours|theirs|yours)\b/i, write: "our, their" },
  { pattern: /\bdid away\b/i, write: "deleted" },
  { pattern: /\breckon/i, write: "estimate" },
  { pattern: /\bas usual\b/i, write: "default" },
  { pattern: /\blook(?:s|ed|ing)? (?:at|into)\b|\ba look at\b/i, write: "check, inspect, read" },
  { pattern: /\bbr(?:eaks?|oken?|eaking) off\b/i, write: "truncated" },
  { pattern: /\b(?:whoever|whosoever|thereby|whereby|hereby)\b/i, write: "plain words" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, write: "fix" },
  { pattern: /\bdear(?:er|est)\b/i, write: "expensive" },
  { pattern: /\bwalls\b/i, write: "sandbox" },
  { pattern: /\bcorners?\b(?! of the image)/i, write: "vertices", below: "functions/engines/models" },
  { pattern: /\bwhat hangs on\b/i, write: "affected" },
  {
    pattern: /\b\w*(?:recognis|normalis|behaviour|neighbour|serialis|initialis|optimis|licence|honour|favour)\w*/i,
    write: "American spelling",
  },
];

/** Lines that keep a retired word, with the reason. */
const allowed: readonly { readonly file: RegExp; readonly line: RegExp; readonly reason: string }[] = [
  { file: /^test\/language\.test\.ts$/, line: /./, reason: "the list itself" },
  { file: /^local\/sqlite\/schema\.ts$/, line: /./, reason: "the text of migrations that databases have applied" },
  { file: /^docs\/style-guide\.md$/, line: /./, reason: "the glossary names what it retires" },
  { file: /^CHANGELOG\.md$|\bformer-names\b/, line: /unrecognised_format/, reason: "a former name of the API" },
  { file: /^test\/api\/openapi\.test\.ts$/, line: /colour\|recognis/, reason: "a list of British spellings" },
  { file: /^test\/client\/package\.test\.ts$/, line: /Permission is hereby granted/, reason: "the MIT license" },
];

/** Texts in other languages, data of others, and files that programs write. */
const excluded =
  /^(?:dashboard\/text\/de\/|docs\/licen[cs]es\.md|LICENSE|package-lock\.json|test\/fixtures\/sample|test\/fuzz\/seeds\/)/;

const readable = /\.(?:ts|tsx|mjs|py|sh|md|yml|yaml|html|css)$/;

const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 16 * 1024 * 1024 })
  .split("\n")
  .filter((path) => readable.test(path) && !excluded.test(path));

/** @returns `path:line: text` for each line that uses the retired word */
const uses = ({ pattern, below = "" }: Retired): string[] =>
  files
    .filter((path) => path.startsWith(below))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          pattern.test(line) && !allowed.some((row) => row.file.test(path) && row.line.test(line))
            ? [`${path}:${index + 1}: ${line.trim()}`]
            : [],
        ),
    );

describe("text uses standard English", () => {
  it("reads the project's files", () => {
    expect(files.length).toBeGreaterThan(1_000);
  });

  it.each(retired.map((row) => [String(row.pattern), row] as const))("%s", (_, row) => {
    expect(uses(row), `Write ${row.write} instead (docs/style-guide.md).`).toEqual([]);
  });
});
