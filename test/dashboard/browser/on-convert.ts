import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Page } from "playwright-core";

/** What people do on the page that converts files. */

type FileOf = string | { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Chooses files in the native dialog. @param button the label of the button that opens it, in the page's language */
export const addFiles = async (page: Page, files: readonly FileOf[], button = /^Choose files/): Promise<void> => {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  const read = async (file: FileOf) =>
    typeof file === "string"
      ? { name: basename(file), mimeType: "application/octet-stream", buffer: await readFile(file) }
      : file;
  await (await chooser).setFiles(await Promise.all(files.map(read)));
};

/** Chooses one large file, which the browser reads from the disk. */
export const addPath = async (page: Page, path: string): Promise<void> => {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Choose files/ }).click();
  await (await chooser).setFiles(path);
};

/** Drops files on the page, as from a desktop folder. */
export const dropFiles = async (page: Page, paths: readonly string[]): Promise<void> => {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), content: (await readFile(path)).toString("base64") })),
  );
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    for (const { name, content } of ${JSON.stringify(files)}) {
      data.items.add(new File([Uint8Array.fromBase64(content)], name));
    }
    return data;
  })()`);
  await page.getByRole("button", { name: /^Choose files/ }).waitFor();
  await page.dispatchEvent("main", "dragenter", { dataTransfer });
  await page.dispatchEvent("main", "dragover", { dataTransfer });
  await page.dispatchEvent("main", "drop", { dataTransfer });
};

/** Chooses a file's target format with the search field of the dialog. */
export const choose = async (page: Page, name: string, target: string): Promise<void> => {
  const file = name.replaceAll(".", "\\.");
  // English and German, with and without a target.
  const button = new RegExp(
    `^(?:Choose a format for ${file}$|Convert ${file} to |Wählen, was aus ${file} wird|Aus ${file} wird)`,
  );
  await page.getByRole("button", { name: button }).click();
  const search = page.getByRole("dialog").getByRole("searchbox");
  await search.fill(target);
  await search.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
};

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

/** Waits for a result and saves it. @returns the path of the saved file */
export const download = async (page: Page, name: string): Promise<string> => {
  const button = page.getByRole("button", { name: `Download ${name}`, exact: true });
  await button.waitFor();
  const saving = page.waitForEvent("download");
  await button.click();
  const saved = await saving;
  if (saved.suggestedFilename() !== name) {
    throw new Error(`The browser saves it as ${saved.suggestedFilename()}.`);
  }
  return saved.path();
};
