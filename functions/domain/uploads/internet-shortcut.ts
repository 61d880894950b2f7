/** @returns the content of a file of the format `url`, which stands for the web page at the URL */
export const internetShortcut = (url: URL): string => `[InternetShortcut]\r\nURL=${url.href}\r\n`;
