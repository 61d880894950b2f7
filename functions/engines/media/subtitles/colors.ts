/** Color names used in subtitles: those of HTML 4 and a few other common ones. */
const NAMES: Readonly<Record<string, string>> = {
  black: "#000000",
  silver: "#c0c0c0",
  gray: "#808080",
  grey: "#808080",
  white: "#ffffff",
  maroon: "#800000",
  red: "#ff0000",
  purple: "#800080",
  fuchsia: "#ff00ff",
  magenta: "#ff00ff",
  green: "#008000",
  lime: "#00ff00",
  olive: "#808000",
  yellow: "#ffff00",
  navy: "#000080",
  blue: "#0000ff",
  teal: "#008080",
  aqua: "#00ffff",
  cyan: "#00ffff",
  orange: "#ffa500",
  pink: "#ffc0cb",
  gold: "#ffd700",
};

/** @returns an HTML, CSS or TTML color as `#rrggbb`; undefined if unknown */
export const colorOf = (text: string): string | undefined => {
  const value = text
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, "");
  const hexadecimal = /^#?([\da-f]{6})(?:[\da-f]{2})?$/.exec(value)?.[1];
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(value);
  const [, red, green, blue] = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})/.exec(value) ?? [];
  if (hexadecimal !== undefined) {
    return `#${hexadecimal}`;
  }
  if (short !== null) {
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join("")}`;
  }
  return blue === undefined
    ? Object.hasOwn(NAMES, value)
      ? NAMES[value]
      : undefined
    : `#${[red, green, blue].map((part) => Math.min(255, Number(part)).toString(16).padStart(2, "0")).join("")}`;
};

/** @returns the color of digits in the order blue, green, red, as in SubStation (`&H00FF`) */
export const fromBgr = (digits: string): string | undefined => {
  const [, blue, green, red] = /([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(digits.padStart(6, "0")) ?? [];
  return blue === undefined ? undefined : `#${red}${green}${blue}`.toLowerCase();
};

/** @returns the digits in the order blue, green, red, in upper case */
export const toBgr = (color: string): string =>
  `${color.slice(5, 7)}${color.slice(3, 5)}${color.slice(1, 3)}`.toUpperCase();

/** @returns the name of a color in the table; undefined for others */
export const colorName = (color: string, names: readonly string[]): string | undefined =>
  names.find((name) => NAMES[name] === color);
