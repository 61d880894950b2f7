/** Pages whose texts the operator writes. They exist only if there is a text. */
export const operatorPages = ["terms", "privacy", "imprint", "contact"] as const;

/** The files that the service has, such as `privacy.md` and `privacy.de.md`. */
const files = (): readonly string[] =>
  (document.querySelector<HTMLMetaElement>("meta[name=anyform-operator-files]")?.content ?? "")
    .split(" ")
    .filter((name) => name.endsWith(".md"));

/** The text of a page, and its language. */
export interface OperatorFile {
  readonly url: string;
  /** @default unknown */
  readonly language: string | undefined;
}

/** @returns the text in the language if there is one, otherwise in any; undefined for a page that does not exist */
export const operatorFile = (page: string, language: string): OperatorFile | undefined => {
  const own = files().filter((name) => name.startsWith(`${page}.`));
  const name = [`${page}.${language}.md`, `${page}.md`, ...own].find((each) => own.includes(each));
  return name === undefined ? undefined : { url: `/operator/${name}`, language: /\.(\w\w)\.md$/.exec(name)?.[1] };
};
