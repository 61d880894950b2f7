/** The content of the structured data samples: a list of objects, which is a table too. */
export type TreeRow = Readonly<Record<string, string | number | bigint | boolean | null>>;

/** Digits beyond a double's precision, leading and trailing zeros, quotes, several lines, a null, and four scripts. */
export const TREE_ROWS: readonly TreeRow[] = [
  {
    id: 1,
    code: "007",
    name: `Zoë "Z" O'Neil, Jr.`,
    big: 1234567890123456789n,
    price: 19.99,
    active: true,
    joined: "2024-02-29",
    note: "two\nlines",
  },
  {
    id: 2,
    code: "00123",
    name: "日本語 テスト",
    big: -9007199254740993n,
    price: 0.5,
    active: false,
    joined: "1999-12-31",
    note: null,
  },
  {
    id: 3,
    code: "1e5",
    name: "שלום עולם",
    big: 9007199254740993n,
    price: -1234.25,
    active: true,
    joined: "2026-07-01",
    note: "no: <b> & #5; 😀",
  },
];
