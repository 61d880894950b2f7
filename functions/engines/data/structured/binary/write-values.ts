import type { Target } from "../codec.ts";
import { type Exact, isBytes, isExact, isList, isMap, type Tree } from "../tree.ts";
import { type ByteWriter, byteWriter } from "./bytes.ts";

/** The differences between MessagePack and CBOR, whose values have heads, when writing. */
export interface Form {
  /** Writes the kind of a value and its length in members or bytes. */
  readonly head: (bytes: ByteWriter, kind: "map" | "list" | "text" | "bytes", length: number) => void;
  readonly integer: (writer: Writer, value: number | bigint) => void;
  readonly exact: (writer: Writer, value: Exact) => void;
  /** The bytes that represent these values, or precede the eight bytes of a double. */
  readonly marks: { readonly null: number; readonly true: number; readonly false: number; readonly double: number };
}

export interface Writer {
  readonly bytes: ByteWriter;
  readonly target: Target;
  readonly form: Form;
}

/** @returns the tree in the format */
export const writeValues = (tree: Tree, target: Target, form: Form): Uint8Array => {
  const bytes = byteWriter();
  writeValue({ bytes, target, form }, tree);
  return bytes.done();
};

const writeValue = (writer: Writer, tree: Tree): void => {
  const { bytes, form } = writer;
  if (isMap(tree)) {
    form.head(bytes, "map", tree.size);
    for (const [key, member] of tree) {
      writeText(writer, key);
      writeValue(writer, member);
    }
  } else if (isList(tree)) {
    form.head(bytes, "list", tree.length);
    for (const member of tree) {
      writeValue(writer, member);
    }
  } else if (typeof tree === "string") {
    writeText(writer, tree);
  } else if (isBytes(tree)) {
    form.head(bytes, "bytes", tree.length);
    bytes.bytes(tree);
  } else if (isExact(tree)) {
    form.exact(writer, tree);
  } else if (tree === null || typeof tree === "boolean") {
    bytes.byte(form.marks[`${tree}`]);
  } else if (typeof tree === "bigint" || Number.isSafeInteger(tree)) {
    form.integer(writer, tree);
  } else {
    writeDouble(writer, tree);
  }
};

export const writeText = ({ bytes, form }: Writer, content: string): void => {
  const length = Buffer.byteLength(content);
  form.head(bytes, "text", length);
  bytes.add(length, (view, at) => view.write(content, at));
};

/** Writes a value as text when the format does not have its type. */
export const writeAsText = (writer: Writer, content: string): void => {
  writer.target.notes.add("types_as_text");
  writeText(writer, content);
};

export const writeDouble = ({ bytes, form }: Writer, value: number): void => {
  bytes.byte(form.marks.double);
  bytes.add(8, (view, at) => view.writeDoubleBE(value, at));
};
