import { texts } from "../../text.ts";
import { Table } from "../../ui/parts.tsx";
import type { ErrorTable, OpenapiDocument } from "./document.ts";
import { ReferenceMarkdown } from "./reference-markdown.tsx";

/** All errors by where they occur. */
export const ErrorTables = ({ document }: { readonly document: OpenapiDocument }) => {
  const { errors } = texts.value.reference;
  return (
    <>
      <ErrorTableView title={errors.request} table={document["x-errors"]} />
      <ErrorTableView title={errors.job} table={document["x-job-errors"]} />
      <ErrorTableView title={errors.upload} table={document["x-upload-errors"]} />
    </>
  );
};

const ErrorTableView = ({ title, table }: { readonly title: string; readonly table: ErrorTable }) => {
  const { reference, common } = texts.value;
  const { errors: text } = reference;
  const rows = Object.entries(table);
  const hasStatus = rows.some(([, { status }]) => status !== undefined);
  return (
    <section>
      <h2>{title}</h2>
      <Table
        caption={title}
        head={[text.code, ...(hasStatus ? [text.status] : []), text.meaning, text.action, text.retry]}
      >
        {rows.map(([code, row]) => (
          <tr key={code}>
            <th scope="row">
              <code>{code}</code>
            </th>
            {hasStatus && <td>{row.status}</td>}
            <td>
              <ReferenceMarkdown text={row.when} document={undefined} />
            </td>
            <td>
              <ReferenceMarkdown text={row.action} document={undefined} />
            </td>
            <td>{row.retryable ? common.yes : common.no}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
};
