/** Addresses of the network, of files, and paths, none of which may be opened. */
export type Places = readonly [string, ...string[]];

/** @returns a function that makes a line for each place */
export const eachOf =
  (places: Places) =>
  (one: (place: string, index: number) => string): string =>
    places.map(one).join("\n");

/** @returns the relations of a part of an OOXML package */
export const packageOf = (relations: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`;
