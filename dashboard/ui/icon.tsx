/** Stroke paths in a 24 by 24 view box. */
const paths = {
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
