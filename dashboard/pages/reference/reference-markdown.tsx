import { Markdown, type MarkdownProps } from "../../markdown/markdown.tsx";
import { texts } from "../../text.ts";
import { type OpenapiDocument, operationsOf } from "./document.ts";

type Props = Omit<MarkdownProps, "codeHref" | "codeLabel"> & { readonly document: OpenapiDocument | undefined };

/** A text of the documentation, in English. Names of operations are links to them. */
export const ReferenceMarkdown = ({ document, ...props }: Props) => (
  <div lang="en">
    <Markdown
      {...props}
      codeLabel={texts.value.reference.example}
      codeHref={(code) => (document !== undefined && idsOf(document).has(code) ? `#${code}` : undefined)}
    />
  </div>
);

const known = new WeakMap<OpenapiDocument, ReadonlySet<string>>();

const idsOf = (document: OpenapiDocument): ReadonlySet<string> => {
  const ids = known.get(document) ?? new Set(operationsOf(document).map(({ id }) => id));
  known.set(document, ids);
  return ids;
};
