/** @returns a name as an SQL identifier */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
