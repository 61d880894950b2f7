export const printOptions = {} as const;
