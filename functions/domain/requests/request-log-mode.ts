/** Which requests a deployment logs on AWS, where each entry costs a write. */
export const requestLogModes = ["all", "failed", "off"] as const;

export type RequestLogMode = (typeof requestLogModes)[number];
