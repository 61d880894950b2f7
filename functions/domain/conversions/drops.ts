import type { Trait } from "../formats/format.ts";
import { formatOf } from "../formats/formats.ts";
import type { Conversion } from "./conversion.ts";

/** Names of the same content in other families: an animation is a film. */
const ALIKE: Readonly<Partial<Record<Trait, Trait>>> = {
  moving_pictures: "frames",
  frames: "moving_pictures",
  pixels: "moving_pictures",
};

/** @returns the traits of the source that the result of the steps loses */
export const dropsOf = (path: readonly [Conversion, ...Conversion[]]): Trait[] => {
  const isKept = (trait: Trait, { to, loses = [] }: Conversion): boolean => {
    const { keeps } = formatOf(to);
    const other = ALIKE[trait];
    return !loses.includes(trait) && (keeps.includes(trait) || (other !== undefined && keeps.includes(other)));
  };
  return formatOf(path[0].from).keeps.filter((trait) => !path.every((step) => isKept(trait, step)));
};
