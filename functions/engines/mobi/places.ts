/** A place in a text that links lead to. */
export interface Mark {
  readonly at: number;
  readonly name: string;
}

/** Bytes in which the beginning of a tag is looked for. */
const TAG_BYTES_MAX = 4_096;

/** @returns the markup with an anchor at each place; where it lies within a tag, before that */
export const markPlaces = (markup: Buffer, marks: readonly Mark[]): Buffer => {
  const settled = marks
    .filter(({ at }) => at >= 0 && at <= markup.length)
    .map(({ at, name }) => ({ at: outsideTag(markup, at), name }))
    .sort((one, other) => one.at - other.at);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, name } of settled) {
    parts.push(markup.subarray(from, at), Buffer.from(`<a id="${name}"></a>`));
    from = at;
  }
  return Buffer.concat([...parts, markup.subarray(from)]);
};

const outsideTag = (markup: Buffer, at: number): number => {
  for (let before = at - 1; before >= Math.max(0, at - TAG_BYTES_MAX); before -= 1) {
    if (markup[before] === 0x3e) {
      return at;
    }
    if (markup[before] === 0x3c) {
      return before;
    }
  }
  return at;
};
