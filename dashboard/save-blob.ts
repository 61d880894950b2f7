/** The browser reads the file asynchronously; one minute is enough to start. */
const READ_MS = 60_000;

/** Saves the bytes as a download. */
export const saveBlob = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  saveUrl(url, name);
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
};

/** Saves what the URL serves as a download. */
export const saveUrl = (url: string, name: string): void => {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
};
