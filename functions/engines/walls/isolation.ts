/** What an operator asks for: the best that this machine has, all walls or no start, or limits alone. */
export const isolations = ["auto", "require", "none"] as const;

export type Isolation = (typeof isolations)[number];
