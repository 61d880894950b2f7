/** Archive entries, the same for all formats. */

/** An entry as the archive declares it. Do not trust any field before `guard.ts` has checked it. */
export interface RawEntry {
  /** Path in the archive, with `/` as the separator. */
  readonly path: string;
  /** `special` is anything that is not a file, such as devices and pipes. */
  readonly kind: "file" | "folder" | "symlink" | "hardlink" | "special";
  readonly modified: Date;
  /** Unix permissions; 0 when the archive has none. */
  readonly mode: number;
  /** Size of the content in bytes. Reading fails when there are more or fewer. */
  readonly bytes: number;
  /** Target of a link. */
  readonly target?: string;
  /** Path of a file on disk that has the content. */
  readonly file?: string;
  /** Returns the content. Call it once, before requesting the next entry. */
  readonly content: () => AsyncIterable<Buffer>;
}

/** An entry whose name is safe and unique in its archive. */
export type ArchiveEntry = Omit<RawEntry, "kind"> & { readonly kind: "file" | "folder" | "symlink" | "hardlink" };

/** @returns an empty stream, for entries without content */
export const noContent = async function* (): AsyncGenerator<Buffer> {};

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** @returns permissions without the setuid, setgid and sticky bits; the defaults when the archive has none */
export const permissionsOf = ({ mode, kind }: Pick<ArchiveEntry, "mode" | "kind">): number =>
  mode & 0o777 || (kind === "folder" ? FOLDER_MODE : FILE_MODE);
