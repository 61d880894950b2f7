export const mediaOptions = {} as const;
