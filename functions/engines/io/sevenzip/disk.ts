import { closeSync } from "node:fs";
import { type EmscriptenFs, type FsNode, type FsStream, kindOf, type NodeKind, TYPES } from "./emscripten.ts";
import { type DiskState, type Item, nodeOps, streamOps } from "./nodes.ts";

/**
 * A disk that 7-Zip sees. Its folders and names are in memory only; what its files hold lies in files on the real disk,
 * which are named by us. So no name of an archive, and no link, ever reaches the file system of this machine.
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
  readonly kind: NodeKind;
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
  /** What stands there from the beginning, to be read; folders are made for it. */
  readonly holds?: readonly Partial<DiskItem>[];
}

export const diskOf = ({ fs, fresh, grown, holds = [] }: DiskSettings): Disk => {
  const items = new Map<FsNode, Item>();
  const open = new Map<FsStream, number>();
  const state: DiskState = {
    items,
    open,
    given: new Set(holds.map(({ file = "" }) => file)),
    grown,
    fail: (code) => {
      throw new fs.ErrnoError(code);
    },
    make: (parent, name, mode) => {
      const node = fs.createNode(parent, name, mode);
      const file = kindOf(node) === "file" ? fresh() : "";
      const item: Item = { node, children: new Map(), file, bytes: 0, modified: 0, target: "" };
      node.node_ops = nodes;
      node.stream_ops = streams;
      items.set(node, item);
      if (parent !== null) {
        items.get(parent)?.children.set(name, item);
      }
      return item;
    },
  };
  const [nodes, streams] = [nodeOps(state), streamOps(state)];
  return {
    type: { mount: () => planted(state, holds).node },
    items: () => [...items.values()].slice(1).map((item) => itemView(item, items)),
    close: () => {
      for (const descriptor of open.values()) {
        closeSync(descriptor);
      }
      open.clear();
    },
  };
};

/** @returns the root of a disk on which all this stands */
const planted = ({ make }: DiskState, holds: readonly Partial<DiskItem>[]): Item => {
  const root = make(null, "/", TYPES.folder | 0o777);
  for (const { path = "", kind = "file", mode = 0o644, modified, bytes = 0, file = "" } of holds) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    const above = parts.reduce(
      (folder, part) => folder.children.get(part) ?? make(folder.node, part, TYPES.folder | 0o755),
      root,
    );
    const item = above.children.get(name) ?? make(above.node, name, TYPES[kind] | mode);
    item.node.mode = TYPES[kind] | mode;
    Object.assign(item, { file, bytes, modified: modified?.getTime() ?? 0 });
  }
  return root;
};

const itemView = ({ node, modified, bytes, file, target }: Item, items: ReadonlyMap<FsNode, Item>): DiskItem => {
  const parts: string[] = [];
  for (let at = node; at.parent !== at && items.has(at); at = at.parent) {
    parts.unshift(at.name);
  }
  const path = parts.filter((part) => part !== "/").join("/");
  return { path, kind: kindOf(node), mode: node.mode & 0o7777, modified: new Date(modified), bytes, file, target };
};
