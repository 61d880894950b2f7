import { SaxesParser } from "saxes";

/** An element of an XML document without namespaces' prefixes. */
export interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

export const xmlOf = (source: string): Node => {
  const root: Node = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const pairs = Object.entries(attributes).map(([key, value]) => [local(key), value] as const);
    const node: Node = { name: local(name), attributes: Object.fromEntries(pairs), children: [], text: "" };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on("text", (text) => {
    const node = open.at(-1);
    if (node !== undefined) {
      node.text += text;
    }
  });
  parser.on("closetag", () => open.pop());
  parser.write(source).close();
  return root;
};

export const childOf = (node: Node | undefined, ...path: readonly string[]): Node | undefined =>
  path.reduce((parent, name) => parent?.children.find((child) => child.name === name), node);

export const childrenOf = (node: Node | undefined, name: string): Node[] =>
  (node?.children ?? []).filter((child) => child.name === name);

/** @returns all elements of this name below the node, in document order */
export const below = (node: Node, name: string): Node[] =>
  node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...below(child, name)]);
