export const officeOptions = {} as const;
