/** What we use of emscripten's file system (emscripten.org/docs/api_reference/Filesystem-API.html). */
export interface EmscriptenFs {
  createNode(parent: FsNode | null, name: string, mode: number): FsNode;
  mount(type: { mount(): FsNode }, settings: object, path: string): unknown;
  mkdir(path: string): unknown;
  chdir(path: string): void;
  readonly ErrnoError: new (code: number) => Error;
}

export interface FsNode {
  readonly id: number;
  name: string;
  parent: FsNode;
  mode: number;
  node_ops: object;
  stream_ops: object;
}

export interface FsStream {
  readonly node: FsNode;
  readonly position: number;
}

/** Numbers of errors, as emscripten has them (wasi). */
export const NOT_THERE = 44;
export const INVALID = 28;
export const NOT_EMPTY = 55;

const TYPE = 0o170_000;

/** Kinds of nodes, by the bits of their mode. */
export const TYPES = { file: 0o100_000, folder: 0o040_000, symlink: 0o120_000 } as const;

export type NodeKind = keyof typeof TYPES;

export const kindOf = ({ mode }: FsNode): NodeKind =>
  (mode & TYPE) === TYPES.folder ? "folder" : (mode & TYPE) === TYPES.symlink ? "symlink" : "file";
