/** Files that were dropped, pasted or chosen, including files in folders, up to the limit of the list. */

/** A file and its folder path, such as `holiday/day 1/`; empty for a single file. */
export interface FoundFile {
  readonly file: File;
  readonly folder: string;
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** Whether there were more files than the limit. */
  readonly cut: boolean;
  /** Files and folders that could not be read. */
  readonly unreadable: number;
}

/** The part of the File and Directory Entries API that is used; `isFile` and `isDirectory` distinguish the two kinds. */
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

/** Maximum files in the list: more rows would be hard to review. */
export const FILES_MAX = 1_000;
/** Maximum folder depth, which also ends links that point to themselves. */
const DEPTH_MAX = 32;

/** Files that operating systems create in folders, and that nobody wants to convert. */
const SYSTEM_FILES = new Set([".ds_store", "thumbs.db", "desktop.ini", ".directory"]);

/** @returns files that were chosen in a dialog or pasted; in a chosen folder, each file has its path */
export const chosenFiles = (
  files: readonly (File & { readonly webkitRelativePath?: string })[],
  limit: number,
): Found => {
  const chosen = files.filter(({ name }) => !isSystemFile(name));
  const found = chosen.slice(0, limit).map((file) => ({ file, folder: folderOf(file.webkitRelativePath ?? "") }));
  return { files: found, cut: chosen.length > limit, unreadable: 0 };
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

const isSystemFile = (name: string): boolean => SYSTEM_FILES.has(name.toLowerCase()) || name.startsWith("._");

/** Reads files and folders, breadth first, until the limit is reached. */
export const readEntries = async (entries: readonly Entry[], limit: number): Promise<Found> => {
  const files: FoundFile[] = [];
  let unreadable = 0;
  const pending = entries.map((entry) => ({ entry, folder: "", depth: 0 }));
  // The list grows while folders are read.
  for (const { entry, folder, depth } of pending) {
    if (files.length > limit) {
      break;
    }
    try {
      if (isFile(entry)) {
        files.push(...(isSystemFile(entry.name) ? [] : [{ file: await fileOf(entry), folder }]));
      } else if (isDirectory(entry) && depth < DEPTH_MAX) {
        const inner = { folder: `${folder}${entry.name}/`, depth: depth + 1 };
        pending.push(...(await childrenOf(entry, limit)).map((child) => ({ entry: child, ...inner })));
      }
    } catch {
      // Files that were deleted or cannot be read are counted; the others are added.
      unreadable += 1;
    }
  }
  return { files: files.slice(0, limit), cut: files.length > limit, unreadable };
};

const isFile = (entry: Entry): entry is FileEntry => entry.isFile;
const isDirectory = (entry: Entry): entry is FolderEntry => entry.isDirectory;

const fileOf = (entry: FileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));

/** Browsers return a folder's entries in batches (Chromium: 100), with an empty batch at the end. */
const childrenOf = async (entry: FolderEntry, limit: number): Promise<Entry[]> => {
  const reader = entry.createReader();
  const children: Entry[] = [];
  while (children.length <= limit) {
    const batch = await new Promise<readonly Entry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) {
      break;
    }
    children.push(...batch);
  }
  return children.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
};
