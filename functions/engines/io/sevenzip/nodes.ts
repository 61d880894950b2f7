import { closeSync, openSync, readSync, truncateSync, writeSync } from "node:fs";
import { type FsNode, type FsStream, INVALID, kindOf, NOT_EMPTY, NOT_THERE, TYPES } from "./emscripten.ts";

/** What a node of a disk is to us. */
export interface Item {
  readonly node: FsNode;
  readonly children: Map<string, Item>;
  /** The real file. */
  file: string;
  bytes: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Where a link leads. */
  target: string;
}

/** What the operations of a disk share. */
export interface DiskState {
  readonly items: Map<FsNode, Item>;
  /** Descriptors of real files, by the streams that 7-Zip has open. */
  readonly open: Map<FsStream, number>;
  /** Real files that are only read. */
  readonly given: ReadonlySet<string>;
  make(parent: FsNode | null, name: string, mode: number): Item;
  /** Told of bytes by which files grow. */
  grown(bytes: number): void;
  fail(code: number): never;
}

const itemOf = ({ items, fail }: DiskState, node: FsNode): Item => items.get(node) ?? fail(NOT_THERE);

const grow = ({ grown }: DiskState, item: Item, bytes: number): void => {
  if (bytes > item.bytes) {
    grown(bytes - item.bytes);
    item.bytes = bytes;
  }
};

const BLOCK_BYTES = 4_096;

/** @returns what emscripten does with names, times and permissions */
export const nodeOps = (state: DiskState) => ({
  getattr: (node: FsNode) => {
    const { bytes, modified, target } = itemOf(state, node);
    const time = new Date(modified);
    const size = kindOf(node) === "symlink" ? target.length : bytes;
    const constant = { dev: 1, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: BLOCK_BYTES };
    const blocks = Math.ceil(size / BLOCK_BYTES);
    return { ...constant, ino: node.id, mode: node.mode, size, atime: time, mtime: time, ctime: time, blocks };
  },
  setattr: (node: FsNode, { mode, mtime, size }: { mode?: number; mtime?: number | Date; size?: number }) => {
    const item = itemOf(state, node);
    node.mode = mode ?? node.mode;
    item.modified = mtime === undefined ? item.modified : Number(mtime);
    if (size !== undefined) {
      grow(state, item, size);
      closeSync(openSync(item.file, "a"));
      truncateSync(item.file, size);
      item.bytes = size;
    }
  },
  // What is known already stands in emscripten's own table; it asks here only for the rest.
  lookup: (parent: FsNode, name: string) => childOf(state, parent, name).node,
  mknod: (parent: FsNode, name: string, mode: number) => state.make(parent, name, mode).node,
  rename: (node: FsNode, parent: FsNode, name: string) => {
    const item = itemOf(state, node);
    itemOf(state, node.parent).children.delete(node.name);
    itemOf(state, parent).children.set(name, item);
    node.name = name;
  },
  unlink: (parent: FsNode, name: string) => remove(state, parent, name),
  rmdir: (parent: FsNode, name: string) => {
    if (childOf(state, parent, name).children.size > 0) {
      state.fail(NOT_EMPTY);
    }
    remove(state, parent, name);
  },
  readdir: (node: FsNode) => [".", "..", ...itemOf(state, node).children.keys()],
  symlink: (parent: FsNode, name: string, target: string) => {
    const item = state.make(parent, name, TYPES.symlink | 0o777);
    item.target = target;
    return item.node;
  },
  // Nothing is ever reached through a link.
  readlink: () => state.fail(INVALID),
});

const childOf = (state: DiskState, parent: FsNode, name: string): Item =>
  itemOf(state, parent).children.get(name) ?? state.fail(NOT_THERE);

const remove = (state: DiskState, parent: FsNode, name: string): void => {
  state.items.delete(childOf(state, parent, name).node);
  itemOf(state, parent).children.delete(name);
};

/** Read and written, made when it is not there, and never cut. */
const ACCESS = 0o102;

/** @returns what emscripten does with contents */
export const streamOps = (state: DiskState) => ({
  open: (stream: FsStream) => {
    if (kindOf(stream.node) === "file") {
      const { file } = itemOf(state, stream.node);
      state.open.set(stream, openSync(file, state.given.has(file) ? "r" : ACCESS));
    }
  },
  close: (stream: FsStream) => {
    const descriptor = state.open.get(stream);
    state.open.delete(stream);
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  },
  read: (stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number) =>
    readSync(state.open.get(stream) ?? state.fail(INVALID), buffer, offset, length, position),
  write: (stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number) => {
    grow(state, itemOf(state, stream.node), position + length);
    return writeSync(state.open.get(stream) ?? state.fail(INVALID), buffer, offset, length, position);
  },
  llseek: (stream: FsStream, offset: number, whence: number) => {
    const from = [0, stream.position, itemOf(state, stream.node).bytes][whence] ?? 0;
    return from + offset < 0 ? state.fail(INVALID) : from + offset;
  },
});
