import { Link } from "wouter-preact";
import { texts } from "../../../text.ts";
import { Code } from "../../../ui/copy.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import type { Row } from "../rows.ts";
import { oneCallSamples, type SampleFiles } from "./one-call-samples.ts";

/** The conversion of a row as a program. */
export const CodeDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const { convert, docs, landing } = texts.value;
  return (
    <Dialog title={convert.codeTitle} onClose={onClose}>
      <p class="muted">{convert.codeLead}</p>
      <Tabs
        label={docs.run.language}
        tabs={oneCallSamples(filesOf(row)).map(({ id, label, code }) => ({
          id,
          label,
          content: <Code text={code} label={docs.run.code(label)} />,
        }))}
      />
      <p>
        <Link href="/keys">{texts.value.shell.pages.keys}</Link> · <Link href="/docs">{landing.docs}</Link>
      </p>
    </Dialog>
  );
};

const filesOf = (row: Row): SampleFiles => {
  const { source, chosen, options } = row;
  const parts = source.kind === "merge" ? source.rows : [row];
  const [file = row.name, ...further] = parts.map((part) => (part.source.kind === "url" ? part.source.url : part.name));
  const target = chosen.value?.format.id ?? "";
  const extension = chosen.value?.format.extensions[0] ?? target;
  const result = `${parts[0]?.name.replace(/\.[^.]+$/, "") ?? ""}.${extension}`;
  return { address: location.origin, file, further, target, result, options: withoutSecrets(options.value) };
};

/** Passwords are not displayed: the reader replaces the dots. */
const withoutSecrets = (options: Row["options"]["value"]): Row["options"]["value"] =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      /password|^cookies$|^request_headers$/.test(name) ? "..." : value,
    ]),
  );
