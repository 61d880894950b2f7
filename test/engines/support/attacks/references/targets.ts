/** Network addresses, file addresses and paths, none of which may be opened. */
export type Places = readonly [string, ...string[]];

/** @returns a function that writes a line for each target */
export const eachOf =
  (places: Places) =>
  (one: (place: string, index: number) => string): string =>
    places.map(one).join("\n");

/** @returns the relationships of a part in an OOXML package */
export const packageOf = (relations: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`;
