/** A kind of conversion of the load. */
export interface Recipe {
  readonly name: string;
  /** Names of {@link inputs}; several are merged. */
  readonly inputs: readonly [string, ...string[]];
  readonly target: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Relative frequency. */
  readonly weight: number;
}

const recipe = (source: string, target: string, weight: number, more: Partial<Recipe> = {}): Recipe => ({
  name: `${source} → ${target}`,
  inputs: [source],
  target,
  weight,
  ...more,
});

const merge = (target: string, weight: number, inputs: readonly [string, ...string[]]): Recipe => ({
  name: `${inputs.length} files → ${target}`,
  inputs,
  target,
  weight,
});

/**
 * Images, tables, texts, archives, audio, documents, merges, splits and invalid files. Unsupported recipes are omitted.
 */
export const recipes: readonly Recipe[] = [
  recipe("sample.png", "jpg", 20),
  recipe("photo.jpg", "webp", 10),
  recipe("photo.jpg", "png", 5, { name: "photo.jpg → smaller png", options: { width: 200 } }),
  recipe("sample.svg", "png", 4),
  recipe("sample.gif", "webp", 3),
  recipe("sample.webp", "png", 3),
  recipe("sample.csv", "json", 8),
  recipe("sample.csv", "xlsx", 3),
  recipe("sample.xlsx", "csv", 3),
  recipe("sample.json", "yaml", 5),
  recipe("sample.yaml", "json", 4),
  recipe("sample.md", "html", 4),
  recipe("sample.srt", "vtt", 4),
  recipe("sample.txt", "pdf", 2),
  recipe("sample.zip", "tar", 3),
  recipe("sample.tar", "zip", 3),
  recipe("sample.wav", "mp3", 3),
  recipe("sample.docx", "pdf", 2),
  recipe("sample.odt", "docx", 1),
  recipe("sample.html", "pdf", 1),
  recipe("pages.tiff", "jpg", 3),
  recipe("sample.pdf", "png", 2),
  merge("pdf", 3, ["sample.png", "photo.jpg"]),
  merge("zip", 3, ["sample.png", "sample.csv", "sample.md"]),
  recipe("cut.png", "jpg", 4),
  recipe("cut.zip", "tar", 2),
  recipe("cut.docx", "pdf", 1),
];

/** Sent in parts: an image with enough trailing bytes to exceed the size limit of one request. */
export const largeRecipe: Recipe = recipe("large.jpg", "png", 1, { options: { width: 100 } });
