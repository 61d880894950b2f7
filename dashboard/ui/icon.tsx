/** Stroke paths in a 24 by 24 view box. */
const paths = {
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.6-4 3.4-6 7.5-6s6.9 2 7.5 6",
  archive: "M4 4h16v5H4zM5.5 9v11h13V9M10 13h4",
  audio: "M9 18V5l11-2v13M6.5 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM17.5 18.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  book: "M4 5c3-1.5 5.5-1 8 1 2.5-2 5-2.5 8-1v14c-3-1.5-5.5-1-8 1-2.5-2-5-2.5-8-1zM12 6v14",
  chart: "M4 20h16M7 16v-5M12 16V5M17 16V9",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  cube: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  document: "M7 3h7l4 4v14H7zM14 3v5h4M10 12h5M10 16h5",
  down: "M12 5v14M6 13l6 6 6-6",
  eye: "M2.5 12c3-5 6-7 9.5-7s6.5 2 9.5 7c-3 5-6 7-9.5 7s-6.5-2-9.5-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9z",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  grip: "M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01",
  image: "M4 5h16v14H4zM4 16l5-5 5 5M13 14l3-3 4 4M15 9v.01",
  leave: "M14 4h6v16h-6M10 8l-4 4 4 4M6 12h9",
  letter: "M4 20L10 4h1l6 16M6.5 14h8M16 10h5",
  list: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  pin: "M12 21c-4-5-6-8-6-11a6 6 0 1 1 12 0c0 3-2 6-6 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  price: "M4 12V4h8l8 8-8 8zM8 8v.01",
  screen: "M4 4h16v11H4zM12 15v3M8 20l4-2 4 2",
  sheet: "M4 4h16v16H4zM4 10h16M4 15h16M10 4v16",
  speech: "M4 5h16v12h-8l-4 4v-4H4zM8 9h8M8 13h5",
  up: "M12 19V5M6 11l6-6 6 6",
  vector: "M5 5h3v3H5zM16 16h3v3h-3zM8 6.5h5c3 0 4.5 2 4.5 5V16M6.5 8v8",
  video: "M4 5h16v14H4zM10 9v6l5-3z",
  check: "M5 12l5 5L19 7",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  download: "M12 4v11m-4-4l4 4 4-4M5 20h14",
  file: "M7 3h7l4 4v14H7zM14 3v5h4",
  folder: "M3 6h6l2 2h10v11H3z",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5m0-8.5v.01",
  key: "M14 10a4 4 0 1 1 3 3.9L14.5 16.4H12.5v2H10.5v2H7v-3.5z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  logo: "M5 8h12l-4-4m6 12H7l4 4",
  menu: "M4 7h16M4 12h16M4 17h16",
  passkey:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 2.5-6 6-6 1 0 2 .2 2.8.6M17.5 15.5v5l1.2-1-1.2-1.3M17.5 15.5a2.5 2.5 0 1 0-.01 0",
  retry: "M20 5v5h-5M19 10a8 8 0 1 0 1 5",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M14 5v4M8 15v4",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  upload: "M12 20V9m-4 4l4-4 4 4M5 4h14",
  warning: "M12 4l9 16H3zM12 10v4m0 3v.01",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon next to text with the same meaning; hidden from screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);

const families: Readonly<Record<string, IconName>> = {
  archive: "archive",
  audio: "audio",
  data: "code",
  document: "document",
  ebook: "book",
  font: "letter",
  geo: "pin",
  image: "image",
  mail: "mail",
  model: "cube",
  presentation: "screen",
  spreadsheet: "sheet",
  subtitle: "speech",
  vector: "vector",
  video: "video",
};

/** @returns the icon of a family of formats */
export const familyIcon = (family: string | undefined): IconName => families[family ?? ""] ?? "file";
