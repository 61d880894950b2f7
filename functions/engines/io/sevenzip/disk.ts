import { closeSync, openSync, readSync, truncateSync, writeSync } from "node:fs";

/**
 * The disk that 7-Zip sees. Its folders and names are in memory only; what its files hold lies in files on the real
 * disk, which are named by us. So no name of an archive, and no link, ever reaches the file system of this machine.
 */
export interface Disk {
  /** For emscripten's `FS.mount`. */
  readonly type: { mount(): FsNode };
  /** @returns all that stands on it, in the order in which it was made */
  items(): readonly DiskItem[];
  /** Closes what 7-Zip left open, because it was ended. */
  close(): void;
}

export interface DiskItem {
  /** From the root of the disk, without a slash before it. */
  readonly path: string;
  readonly kind: "file" | "folder" | "symlink";
  readonly mode: number;
  readonly modified: Date;
  readonly bytes: number;
  /** The real file. */
  readonly file: string;
  /** Where a link leads. */
  readonly target: string;
}

export interface DiskSettings {
  readonly fs: EmscriptenFs;
  /** @returns the path of a real file, which need not exist, for the next file that is made */
  readonly fresh: () => string;
  /** Told of bytes by which files grow; what it throws ends 7-Zip. */
  readonly grown: (bytes: number) => void;
  /** What stands there from the beginning; folders are made for it. */
  readonly holds?: readonly Partial<DiskItem>[];
}

/** What we use of emscripten's file system (emscripten.org/docs/api_reference/Filesystem-API.html). */
export interface EmscriptenFs {
  createNode(parent: FsNode | null, name: string, mode: number): FsNode;
  mount(type: Disk["type"], settings: object, path: string): unknown;
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

interface FsStream {
  readonly node: FsNode;
  position: number;
}

/** Numbers of errors, as emscripten has them (wasi). */
const NOT_THERE = 44;
const INVALID = 28;
const NOT_EMPTY = 55;

const TYPE = 0o170_000;
const TYPES = { file: 0o100_000, folder: 0o040_000, symlink: 0o120_000 } as const;
const BLOCK_BYTES = 4_096;

/** What a node is to us. */
interface Item {
  readonly node: FsNode;
  readonly children: Map<string, Item>;
  file: string;
  bytes: number;
  modified: number;
  target: string;
}

export const diskOf = ({ fs, fresh, grown, holds = [] }: DiskSettings): Disk => {
  const items = new Map<FsNode, Item>();
  const open = new Map<FsStream, number>();
  const given = new Set(holds.map(({ file }) => file));
  const fail = (code: number): never => {
    throw new fs.ErrnoError(code);
  };
  const itemOf = (node: FsNode): Item => items.get(node) ?? fail(NOT_THERE);
  const kindOf = ({ mode }: FsNode): DiskItem["kind"] =>
    (mode & TYPE) === TYPES.folder ? "folder" : (mode & TYPE) === TYPES.symlink ? "symlink" : "file";
  const grow = (item: Item, bytes: number): void => {
    if (bytes > item.bytes) {
      grown(bytes - item.bytes);
      item.bytes = bytes;
    }
  };

  const make = (parent: FsNode | null, name: string, mode: number): Item => {
    const node = fs.createNode(parent, name, mode);
    node.node_ops = nodeOps;
    node.stream_ops = streamOps;
    const file = kindOf(node) === "file" ? fresh() : "";
    const item: Item = { node, children: new Map(), file, bytes: 0, modified: 0, target: "" };
    items.set(node, item);
    if (parent !== null) {
      itemOf(parent).children.set(name, item);
    }
    return item;
  };

  const nodeOps = {
    getattr: (node: FsNode) => {
      const { bytes, modified, target } = itemOf(node);
      const time = new Date(modified);
      const size = kindOf(node) === "symlink" ? target.length : bytes;
      const constant = { dev: 1, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: BLOCK_BYTES };
      const blocks = Math.ceil(size / BLOCK_BYTES);
      return { ...constant, ino: node.id, mode: node.mode, size, atime: time, mtime: time, ctime: time, blocks };
    },
    setattr: (node: FsNode, { mode, mtime, size }: { mode?: number; mtime?: number | Date; size?: number }) => {
      const item = itemOf(node);
      node.mode = mode ?? node.mode;
      item.modified = mtime === undefined ? item.modified : Number(mtime);
      if (size !== undefined) {
        grow(item, size);
        closeSync(openSync(item.file, "a"));
        truncateSync(item.file, size);
        item.bytes = size;
      }
    },
    // What is known already stands in emscripten's own table; it asks here only for the rest.
    lookup: (parent: FsNode, name: string) => itemOf(parent).children.get(name)?.node ?? fail(NOT_THERE),
    mknod: (parent: FsNode, name: string, mode: number) => make(parent, name, mode).node,
    rename: (node: FsNode, parent: FsNode, name: string) => {
      const item = itemOf(node);
      itemOf(node.parent).children.delete(node.name);
      itemOf(parent).children.set(name, item);
      node.name = name;
    },
    unlink: (parent: FsNode, name: string) => {
      const item = itemOf(parent).children.get(name);
      itemOf(parent).children.delete(name);
      items.delete(item?.node ?? parent);
    },
    rmdir: (parent: FsNode, name: string) => {
      const item = itemOf(parent).children.get(name) ?? fail(NOT_THERE);
      if (item.children.size > 0) {
        fail(NOT_EMPTY);
      }
      itemOf(parent).children.delete(name);
      items.delete(item.node);
    },
    readdir: (node: FsNode) => [".", "..", ...itemOf(node).children.keys()],
    symlink: (parent: FsNode, name: string, target: string) => {
      const item = make(parent, name, TYPES.symlink | 0o777);
      item.target = target;
      return item.node;
    },
    // 7-Zip asks only for links that it has made; nothing is ever reached through one.
    readlink: () => fail(INVALID),
  };

  const streamOps = {
    open: (stream: FsStream) => {
      if (kindOf(stream.node) === "file") {
        const { file } = itemOf(stream.node);
        open.set(stream, given.has(file) ? openSync(file, "r") : openSync(file, ACCESS));
      }
    },
    close: (stream: FsStream) => {
      const descriptor = open.get(stream);
      open.delete(stream);
      if (descriptor !== undefined) {
        closeSync(descriptor);
      }
    },
    read: (stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number) =>
      readSync(open.get(stream) ?? fail(INVALID), buffer, offset, length, position),
    write: (stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number) => {
      grow(itemOf(stream.node), position + length);
      return writeSync(open.get(stream) ?? fail(INVALID), buffer, offset, length, position);
    },
    llseek: (stream: FsStream, offset: number, whence: number) => {
      const from = [0, stream.position, itemOf(stream.node).bytes][whence] ?? 0;
      return from + offset < 0 ? fail(INVALID) : from + offset;
    },
  };

  const folderAt = (root: Item, parts: readonly string[]): Item =>
    parts.reduce((above, name) => above.children.get(name) ?? make(above.node, name, TYPES.folder | 0o755), root);

  const put = (root: Item, held: Partial<DiskItem>): void => {
    const { path = "", kind = "file", mode = 0o644, modified, bytes = 0, file = "" } = held;
    const parts = path.split("/");
    const above = folderAt(root, parts.slice(0, -1));
    const name = parts.at(-1) ?? "";
    const item = above.children.get(name) ?? make(above.node, name, TYPES[kind] | mode);
    item.modified = modified?.getTime() ?? 0;
    item.node.mode = TYPES[kind] | mode;
    [item.file, item.bytes] = [file, bytes];
  };

  const pathOf = (node: FsNode): string =>
    node.parent === node || !items.has(node.parent) ? "" : [pathOf(node.parent), node.name].filter(Boolean).join("/");

  return {
    type: {
      mount: () => {
        const root = make(null, "/", TYPES.folder | 0o777);
        for (const held of holds) {
          put(root, held);
        }
        return root.node;
      },
    },
    close: () => {
      for (const descriptor of open.values()) {
        closeSync(descriptor);
      }
      open.clear();
    },
    items: () =>
      [...items.values()].slice(1).map(({ node, modified, bytes, file, target }) => ({
        path: pathOf(node),
        kind: kindOf(node),
        mode: node.mode & 0o7777,
        modified: new Date(modified),
        bytes,
        file,
        target,
      })),
  };
};

/** Made when it is not there, and never cut. */
const ACCESS = 0o102;
