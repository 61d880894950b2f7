/** @returns the name of an operation's bundle, and of its file: `get-usage` of `getUsage` */
export const bundleName = (operationId: string): string =>
  operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
