import type { ComponentChildren } from "preact";
import { Code } from "../ui/copy.tsx";
import { Table } from "../ui/parts.tsx";
import { type Inline, type InlineLink, plainText } from "./inline.ts";
import { type Block, parseMarkdown } from "./parse.ts";
import "./markdown.css";

export interface MarkdownProps {
  readonly text: string;
  /** Added to the level of headings, up to h4. @default 0 */
  readonly deeper?: number;
  /** @returns where a link leads; undefined to show only its text. @default its own address */
  readonly hrefOf?: (href: string) => string | undefined;
  /** @returns where code between backticks leads. @default nowhere */
  readonly codeHref?: (code: string) => string | undefined;
  /** Changes a code block before it is shown. @default unchanged */
  readonly codeOf?: (code: string) => string;
  /** The name of code blocks for screen readers. */
  readonly codeLabel: string;
}

/** Shows a Markdown text. */
export const Markdown = (props: MarkdownProps) => (
  <div class="markdown">{parseMarkdown(props.text).map((block, index) => blockOf(block, { ...props, index }))}</div>
);

type Context = MarkdownProps & { readonly index: number };

const blocksOf = (blocks: readonly Block[], context: Context): ComponentChildren =>
  blocks.map((block, index) => blockOf(block, { ...context, index }));

const blockOf = (block: Block, context: Context): ComponentChildren => {
  const inline = (parts: readonly Inline[]): ComponentChildren => inlineOf(parts, context);
  const key = context.index;
  switch (block.type) {
    case "heading":
      return headingOf(Math.min(4, block.level + (context.deeper ?? 0)), inline(block.text), key);
    case "paragraph":
      return <p key={key}>{inline(block.text)}</p>;
    case "code":
      return <Code key={key} text={context.codeOf?.(block.text) ?? block.text} label={context.codeLabel} />;
    case "rule":
      return <hr key={key} />;
    case "quote":
      return <blockquote key={key}>{blocksOf(block.blocks, context)}</blockquote>;
    case "list":
      return <List key={key} block={block} context={context} />;
    case "table":
      return <MarkdownTable key={key} block={block} inline={inline} />;
  }
};

const headingOf = (level: number, text: ComponentChildren, key: number): ComponentChildren => {
  const Tag = (["h1", "h1", "h2", "h3", "h4"] as const)[level] ?? "h4";
  return <Tag key={key}>{text}</Tag>;
};

interface ListProps {
  readonly block: Block & { readonly type: "list" };
  readonly context: Context;
}

const List = ({ block: { start, items }, context }: ListProps) => {
  const rows = items.map((blocks, index) => <li key={index}>{itemOf(blocks, context)}</li>);
  return start === undefined ? <ul>{rows}</ul> : <ol start={start}>{rows}</ol>;
};

/** The text of an item is not a paragraph with margins. */
const itemOf = ([first, ...others]: readonly Block[], context: Context): ComponentChildren =>
  first?.type === "paragraph" ? (
    <>
      {inlineOf(first.text, context)}
      {blocksOf(others, context)}
    </>
  ) : (
    blocksOf(first ? [first, ...others] : [], context)
  );

interface MarkdownTableProps {
  readonly block: Block & { readonly type: "table" };
  readonly inline: (parts: readonly Inline[]) => ComponentChildren;
}

const MarkdownTable = ({ block: { head, rows }, inline }: MarkdownTableProps) => (
  <Table caption={plainText(head[0] ?? [])} head={head.map(inline)}>
    {rows.map((cells, index) => (
      <tr key={index}>
        {cells.map((cell, column) => (
          <td key={column}>{inline(cell)}</td>
        ))}
      </tr>
    ))}
  </Table>
);

const inlineOf = (parts: readonly Inline[], context: Context): ComponentChildren =>
  parts.map((part, index) => (typeof part === "string" ? part : formattedOf(part, { ...context, index })));

const formattedOf = (part: Exclude<Inline, string>, context: Context): ComponentChildren => {
  const key = context.index;
  switch (part.type) {
    case "break":
      return <br key={key} />;
    case "code":
      return <InlineCode key={key} text={part.text} href={context.codeHref?.(part.text)} />;
    case "strong":
      return <strong key={key}>{inlineOf(part.children, context)}</strong>;
    case "emphasis":
      return <em key={key}>{inlineOf(part.children, context)}</em>;
    case "link":
      return linkOf(part, context);
  }
};

const InlineCode = ({ text, href }: { readonly text: string; readonly href: string | undefined }) =>
  href === undefined ? (
    <code>{text}</code>
  ) : (
    <a href={href}>
      <code>{text}</code>
    </a>
  );

const linkOf = (part: InlineLink, context: Context): ComponentChildren => {
  const href = context.hrefOf ? context.hrefOf(part.href) : part.href;
  const text = inlineOf(part.children, context);
  return href === undefined ? (
    text
  ) : (
    <a key={context.index} href={href} {...(/^https?:/.test(href) && { rel: "noreferrer" })}>
      {text}
    </a>
  );
};
