/** The operator's setting: the best sandbox available, the full sandbox or no start, or resource limits only. */
export const isolations = ["auto", "require", "none"] as const;

export type Isolation = (typeof isolations)[number];
