/** @returns a name as SQL has it */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
