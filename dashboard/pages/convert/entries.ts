/** Files that were dropped, pasted or chosen: those in folders too, and never more than the page can hold. */

/** A file, and the folders that it lay in, as `holiday/day 1/`; nothing for a file by itself. */
export interface FoundFile {
  readonly file: File;
  readonly folder: string;
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** Whether there were more than are taken. */
  readonly cut: boolean;
  /** Files and folders that could not be read. */
  readonly unreadable: number;
}

/** What is used of the browser's File and Directory Entries; `isFile` and `isDirectory` tell which of the two one is. */
export interface Entry {
  readonly name: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

interface FileEntry extends Entry {
  file(onFile: (file: File) => void, onError: (error: unknown) => void): void;
}

interface FolderEntry extends Entry {
  createReader(): {
    readEntries(onEntries: (entries: readonly Entry[]) => void, onError: (error: unknown) => void): void;
  };
}

/** Files of one list: so many rows can still be looked through. */
export const FILES_MAX = 1_000;
/** Folders within folders; a link that leads to itself ends there. */
const DEPTH_MAX = 32;

/** Entries that systems leave in folders, and nobody wants converted. */
const LITTER = new Set([".ds_store", "thumbs.db", "desktop.ini", ".directory"]);

/** @returns what was chosen in a dialog, or pasted; a chosen folder tells the path of each file */
export const chosenFiles = (
  files: readonly (File & { readonly webkitRelativePath?: string })[],
  limit: number,
): Found => {
  const wanted = files.filter(({ name }) => !isLitter(name));
  const found = wanted.slice(0, limit).map((file) => ({ file, folder: folderOf(file.webkitRelativePath ?? "") }));
  return { files: found, cut: wanted.length > limit, unreadable: 0 };
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

const isLitter = (name: string): boolean => LITTER.has(name.toLowerCase()) || name.startsWith("._");

/** Reads files and folders, folder by folder, until there are enough. */
export const readEntries = async (entries: readonly Entry[], limit: number): Promise<Found> => {
  const files: FoundFile[] = [];
  let unreadable = 0;
  const waiting = entries.map((entry) => ({ entry, folder: "", depth: 0 }));
  // The list grows as folders are read.
  for (const { entry, folder, depth } of waiting) {
    if (files.length > limit) {
      break;
    }
    try {
      if (isFile(entry)) {
        files.push(...(isLitter(entry.name) ? [] : [{ file: await fileOf(entry), folder }]));
      } else if (isDirectory(entry) && depth < DEPTH_MAX) {
        const inner = { folder: `${folder}${entry.name}/`, depth: depth + 1 };
        waiting.push(...(await childrenOf(entry, limit)).map((child) => ({ entry: child, ...inner })));
      }
    } catch {
      // A file that went, or that may not be read, is told of; the others are taken.
      unreadable += 1;
    }
  }
  return { files: files.slice(0, limit), cut: files.length > limit, unreadable };
};

const isFile = (entry: Entry): entry is FileEntry => entry.isFile;
const isDirectory = (entry: Entry): entry is FolderEntry => entry.isDirectory;

const fileOf = (entry: FileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));

/** Browsers give a folder's entries in portions (Chromium: a hundred), and an empty one at the end. */
const childrenOf = async (entry: FolderEntry, limit: number): Promise<Entry[]> => {
  const reader = entry.createReader();
  const children: Entry[] = [];
  while (children.length <= limit) {
    const portion = await new Promise<readonly Entry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) {
      break;
    }
    children.push(...portion);
  }
  return children.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
};
