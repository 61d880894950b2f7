/** What archives hold, the same for all of them. */

/** An entry as an archive gives it: nothing of it is to be believed before `guard.ts` has seen it. */
export interface RawEntry {
  /** Path in the archive, with `/` between folders. */
  readonly path: string;
  /** `special` is what is no file: devices, pipes. */
  readonly kind: "file" | "folder" | "symlink" | "hardlink" | "special";
  readonly modified: Date;
  /** Permissions, as Unix has them; 0 when the archive knows none. */
  readonly mode: number;
  /** Bytes of the content; reading it fails when there are more or fewer. */
  readonly bytes: number;
  /** Where a link leads. */
  readonly target?: string;
  /** Path of a file on disk that has the content. */
  readonly file?: string;
  /** Gives the content, once, before the next entry is asked for. */
  readonly content: () => AsyncIterable<Buffer>;
}

/** An entry whose name is safe, and like no other of its archive. */
export type ArchiveEntry = Omit<RawEntry, "kind"> & { readonly kind: "file" | "folder" | "symlink" | "hardlink" };

/** @returns nothing, as what has no content gives it */
export const noContent = async function* (): AsyncGenerator<Buffer> {};

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** @returns permissions without the bits that lend rights; the usual ones where the archive knows none */
export const permissionsOf = ({ mode, kind }: Pick<ArchiveEntry, "mode" | "kind">): number =>
  mode & 0o777 || (kind === "folder" ? FOLDER_MODE : FILE_MODE);
