/** @returns whether the text is a URL that messages can be sent to */
export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
