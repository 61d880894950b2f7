/** Maximum characters of a URL that the service accepts (IMPORT_URL_CHARACTERS_MAX of its limits). */
const URL_CHARACTERS_MAX = 2_048;

/** @returns the text as a normalized URL; undefined if it is anything but a single http or https URL */
export const webUrl = (text: string): string | undefined => {
  const trimmed = text.trim();
  if (!/^https?:\/\/\S+$/i.test(trimmed) || trimmed.length > URL_CHARACTERS_MAX || !URL.canParse(trimmed)) {
    return undefined;
  }
  return new URL(trimmed).href;
};

/** @returns a file of the format `url`, which stands for the web page (functions/domain/uploads/internet-shortcut.ts) */
export const shortcutFile = (url: string): File =>
  new File([`[InternetShortcut]\r\nURL=${url}\r\n`], `${new URL(url).hostname.replaceAll(".", "-")}.url`);
