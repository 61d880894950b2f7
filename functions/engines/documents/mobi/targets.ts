/** A link target in a text. */
export interface Mark {
  readonly at: number;
  readonly name: string;
}

/** Number of bytes in which the start of a tag is searched. */
const TAG_BYTES_MAX = 4_096;

/** @returns the markup with an anchor at each target; for a target within a tag, the anchor is placed before the tag */
export const markTargets = (markup: Buffer, marks: readonly Mark[]): Buffer => {
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
