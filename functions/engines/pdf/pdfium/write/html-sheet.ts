/** Declarations of a style, by property. */
export type Style = Readonly<Record<string, string>>;

/** Collects the styles of elements, so that each is written once. */
export interface Sheet {
  /** @returns what follows the name of the element's tag: a placeholder until all styles are known */
  mark(tag: string, style: Style): string;
  finished(): FinishedSheet;
}

interface FinishedSheet {
  /** The most frequent style of a tag applies to the tag, each other one to a class. */
  readonly rules: string;
  /** @returns HTML with classes in place of the placeholders */
  resolved(html: string): string;
}

/** Placeholders are between noncharacters, which escaped text does not have. */
const MARK = /\uffff(\d+)\uffff/g;
const STYLES_MAX = 3_000;
/** Tags whose rule would also apply to elements without a style. */
const INLINE: ReadonlySet<string> = new Set(["span", "mark", "div", "figure", "table"]);

interface Entry {
  readonly tag: string;
  readonly style: Style;
  readonly id: number;
  uses: number;
}

/** @returns a sheet without styles, for elements with the reader's own */
export const plainSheet = (): Sheet => ({
  mark: () => "",
  finished: () => ({ rules: "", resolved: (html) => html }),
});

export const newSheet = (): Sheet => {
  const entries = new Map<string, Entry>();
  return {
    mark: (tag, style) => {
      const key = `${tag} ${cssOf(style)}`;
      const entry = entries.get(key) ?? { tag, style, id: entries.size, uses: 0 };
      if (entry.id >= STYLES_MAX) {
        return "";
      }
      entry.uses += 1;
      entries.set(key, entry);
      return `\uffff${entry.id}\uffff`;
    },
    finished: () => finishedSheet([...entries.values()]),
  };
};

const finishedSheet = (entries: readonly Entry[]): FinishedSheet => {
  const blocks = entries.filter(({ tag }) => !INLINE.has(tag));
  const common = new Map(
    [...Map.groupBy(blocks, ({ tag }) => tag)].map(([tag, group]) => [
      tag,
      group.reduce((best, entry) => (entry.uses > best.uses ? entry : best)).style,
    ]),
  );
  const differing = entries.map(({ tag, style }) => cssOf(difference(style, common.get(tag) ?? {})));
  const classes = [...new Set(differing)].filter((css) => css !== "");
  const names = new Map(classes.map((css, index) => [css, `c${index + 1}`]));
  const rules = [...common].map(([tag, style]) => [tag, cssOf(style)]).filter(([, css]) => css !== "");
  const all = [...rules, ...[...names].map(([css, name]) => [`.${name}`, css])];
  return {
    rules: all.map(([selector, css]) => `${selector}{${css}}`).join("\n"),
    resolved: (html) =>
      html.replace(MARK, (_, id) => {
        const name = names.get(differing[Number(id)] ?? "");
        return name === undefined ? "" : ` class="${name}"`;
      }),
  };
};

/** @returns the declarations that turn the common style into another one */
const difference = (style: Style, common: Style): Style => ({
  ...Object.fromEntries(Object.keys(common).flatMap((name) => (name in style ? [] : [[name, "unset"]]))),
  ...Object.fromEntries(Object.entries(style).filter(([name, value]) => common[name] !== value)),
});

const cssOf = (style: Style): string =>
  Object.entries(style)
    .map(([name, value]) => `${name}:${value}`)
    .join(";");
