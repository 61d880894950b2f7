/** Pages whose texts the operator of a deployment writes, as Markdown files. The service is complete without them. */
export const OPERATOR_PAGES = ["terms", "privacy", "imprint", "contact"] as const;

/** The texts by filename, such as `privacy.md`, and `privacy.de.md` for another language. */
export type OperatorTexts = Readonly<Record<string, string>>;

/** Path of the texts, which the pages load. */
export const OPERATOR_FILES = "/operator/";

/** Stands for the names of the texts, separated by spaces, in the pages of a build. */
export const OPERATOR_PLACEHOLDER = "__OPERATOR_FILES__";

/** Characters of all texts. On AWS they are a part of a request of CloudFormation, which has at most 256 kB. */
const OPERATOR_CHARACTERS_MAX = 100_000;

const FILE = new RegExp(`^(?:${OPERATOR_PAGES.join("|")})(?:\\.(?:en|de))?\\.md$`);

/**
 * @param names of all files in the operator's folder
 * @param read returns the content of a file
 * @returns the texts of the pages; other files are ignored
 * @throws RangeError if there is none, or if they are too long
 */
export const operatorTexts = (names: readonly string[], read: (name: string) => string): OperatorTexts => {
  const own = names.filter((name) => FILE.test(name)).toSorted();
  const texts = own.map((name) => [name, read(name)] as const);
  if (texts.length === 0) {
    throw new RangeError(`a folder with at least one of ${OPERATOR_PAGES.map((page) => `${page}.md`).join(", ")}`);
  }
  if (texts.reduce((sum, [, content]) => sum + content.length, 0) > OPERATOR_CHARACTERS_MAX) {
    throw new RangeError(`a folder with at most ${OPERATOR_CHARACTERS_MAX.toLocaleString("en-US")} characters of text`);
  }
  return Object.fromEntries(texts);
};

/** @returns whether a path is that of an operator's page without a text, which does not exist */
export const isWithoutText = (path: string, texts: OperatorTexts = {}): boolean => {
  const page = OPERATOR_PAGES.find((each) => path === `/${each}` || path === `/${each}.html`);
  return page !== undefined && !Object.keys(texts).some((name) => name.startsWith(`${page}.`));
};
