/** @returns red, green, blue and alpha, each 0 to 255, of `#rgb`, `#rrggbb` or `#rrggbbaa` */
export const channelsOf = (color: string): number[] => {
  const hex = color.slice(1);
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  return [...Buffer.from(long.padEnd(8, "f"), "hex")];
};

/** @returns whether the color is a shade of gray */
export const isGray = (color: string): boolean => {
  const [red, green, blue] = channelsOf(color);
  return red === green && green === blue;
};

/** @returns the shade of gray with the lightness of the color, by Rec. 709 */
export const grayOf = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = channelsOf(color);
  const gray = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  return `#${Buffer.from([gray, gray, gray]).toString("hex")}`;
};
