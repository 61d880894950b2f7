import { escapeText } from "../html/tree.ts";

/**
 * Colors the comments, texts, numbers and keywords of source code. One scanner serves all languages, because these four
 * differ little between them; what a language does not have does not occur in its code.
 */

type Kind = "comment" | "keyword" | "number" | "text";

/** A family of languages with the same comments and texts. */
interface Family {
  readonly names: readonly string[];
  /** Alternatives of a pattern. */
  readonly comments: readonly string[];
  readonly texts: readonly string[];
  readonly keywords: string;
  readonly ignoresCase?: true;
}

const [SLASHES, HASH, DASHES, BLOCK] = ["//[^\\n]*", "#[^\\n]*", "--[^\\n]*", "/\\*(?:[^*]|\\*(?!/))*(?:\\*/)?"];
const DOUBLE = '"(?:[^"\\\\\\n]|\\\\.)*"?';
const SINGLE = "'(?:[^'\\\\\\n]|\\\\.)*'?";
const TICKS = "`(?:[^`\\\\]|\\\\[^])*`?";
const TRIPLE = '"""(?:[^"]|"(?!""))*(?:""")?';
const TRIPLE_SINGLE = "'''(?:[^']|'(?!''))*(?:''')?";

const CONTROL = "break case catch continue default do else finally for if return switch throw try while";
const CLASSES =
  "class enum extends false implements import interface new null private protected public static super this true void";

const FAMILIES: readonly Family[] = [
  {
    names: ["js", "javascript", "jsx", "mjs", "ts", "typescript", "tsx"],
    comments: [SLASHES, BLOCK],
    texts: [DOUBLE, SINGLE, TICKS],
    keywords: `${CONTROL} ${CLASSES} as async await const debugger declare delete export from function in infer instanceof keyof let namespace never of readonly satisfies type typeof undefined unknown var with yield`,
  },
  {
    names: ["java", "kotlin", "kt", "scala", "groovy", "cs", "csharp", "c#", "dart", "swift", "php"],
    comments: [SLASHES, BLOCK, "#(?!\\[)[^\\n]*"],
    texts: [TRIPLE, DOUBLE, SINGLE],
    keywords: `${CONTROL} ${CLASSES} abstract async await base bool boolean byte char const data decimal def double echo else elseif enum event extension final float foreach fun func function guard in init inner int internal is lateinit let lock long match namespace object open operator out override package params protocol readonly record ref sbyte sealed self short sizeof string struct suspend throws trait typeof unchecked use using val var virtual volatile when where yield`,
  },
  {
    names: ["c", "h", "cpp", "c++", "cc", "hpp", "objc", "glsl", "cuda", "arduino"],
    comments: [SLASHES, BLOCK],
    texts: [DOUBLE, SINGLE],
    keywords: `${CONTROL} ${CLASSES} auto bool char const constexpr decltype delete double explicit extern float friend goto inline int long mutable namespace noexcept nullptr operator register short signed sizeof struct template typedef typename union unsigned using virtual volatile`,
  },
  {
    names: ["go", "golang", "rust", "rs", "zig"],
    comments: [SLASHES, BLOCK],
    texts: [DOUBLE, TICKS, "'(?:\\\\.[^'\\n]{0,8}|[^'\\\\\\n])'"],
    keywords: `${CONTROL} as async await bool chan const crate defer dyn enum error extern fallthrough false fn func go goto impl import in interface let loop map match mod move mut nil package pub range ref select self Self static string struct super trait true type unsafe use var where`,
  },
  {
    names: ["py", "python", "python3"],
    comments: [HASH],
    texts: [TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    keywords:
      "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
  },
  {
    names: [
      "rb",
      "ruby",
      "sh",
      "bash",
      "shell",
      "zsh",
      "console",
      "perl",
      "pl",
      "r",
      "elixir",
      "ex",
      "make",
      "makefile",
      "dockerfile",
      "powershell",
      "ps1",
      "awk",
      "nix",
      "tcl",
    ],
    comments: ["(?<![^\\s;(])#[^\\n]*"],
    texts: [DOUBLE, SINGLE],
    keywords:
      "alias and begin break case class def defined do done echo elif else elsif end ensure esac exit export FALSE false fi for foreach from function FROM COPY RUN CMD ENV ARG WORKDIR ENTRYPOINT EXPOSE if in include let local module my next nil not NULL or param print puts raise require rescue return self set shift source sub then TRUE true unless until use when while yield",
  },
  {
    names: ["yaml", "yml", "toml", "ini", "properties", "conf", "hcl", "terraform", "tf"],
    comments: ["(?<!\\S)[#;][^\\n]*"],
    texts: [DOUBLE, SINGLE],
    keywords: "false no null off on true yes",
  },
  { names: ["json", "json5", "jsonc"], comments: [SLASHES, BLOCK], texts: [DOUBLE], keywords: "false null true" },
  {
    names: ["sql", "mysql", "postgresql", "psql", "plsql", "sqlite"],
    comments: [DASHES, BLOCK],
    texts: ["'(?:[^']|'')*'?", DOUBLE],
    keywords:
      "add all alter and as asc begin between by case check column commit constraint create cross database default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction true union unique update using values view when where with",
    ignoresCase: true,
  },
  {
    names: ["lua", "haskell", "hs", "ada", "elm", "vhdl"],
    comments: [DASHES],
    texts: [DOUBLE, SINGLE],
    keywords:
      "and begin break case class data deriving do else elseif end false for function goto if import in instance is let local module newtype nil not of or repeat return then true type until where while",
  },
  {
    names: ["css", "scss", "less"],
    comments: [BLOCK],
    texts: [DOUBLE, SINGLE],
    keywords: "and important include inherit initial media mixin none not only supports unset",
  },
  {
    names: ["html", "xml", "svg", "vue", "xhtml"],
    comments: ["<!--(?:[^-]|-(?!->))*(?:-->)?"],
    texts: [DOUBLE, SINGLE],
    keywords: "",
  },
];

/** A number is not part of a name. */
const NUMBER = "(?<![\\w.])\\d[\\w.]*";

const byName = new Map(FAMILIES.flatMap((family) => family.names.map((name) => [name, family] as const)));
const patterns = new Map<Family, RegExp>();

const patternOf = (family: Family): RegExp => {
  const words = family.keywords.split(" ").filter(Boolean).join("|");
  const groups = [
    `(?<comment>${family.comments.join("|")})`,
    `(?<text>${family.texts.join("|")})`,
    `(?<number>${NUMBER})`,
    ...(words === "" ? [] : [`(?<keyword>(?<![\\w$.-])(?:${words})(?![\\w$-]))`]),
  ];
  const pattern = patterns.get(family) ?? new RegExp(groups.join("|"), family.ignoresCase ? "gi" : "g");
  patterns.set(family, pattern);
  return pattern;
};

/** Longer code stays plain: nobody reads it in color. */
const CODE_CHARACTERS_MAX = 200_000;

const KINDS: readonly Kind[] = ["comment", "text", "number", "keyword"];

/**
 * @param language the name after the fence of a code block, in any case
 * @returns the code as HTML with a `span` for each colored piece; empty if the language is not known
 */
export const highlighted = (code: string, language: string): string => {
  const family = byName.get(language.toLowerCase());
  if (family === undefined || code.length > CODE_CHARACTERS_MAX) {
    return "";
  }
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: piece, index, groups } of code.matchAll(patternOf(family))) {
    const kind = KINDS.find((name) => groups?.[name] !== undefined);
    pieces.push(escapeText(code.slice(from, index)), `<span class="code-${kind}">${escapeText(piece)}</span>`);
    from = index + piece.length;
  }
  return `${pieces.join("")}${escapeText(code.slice(from))}`;
};
