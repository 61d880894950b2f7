import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Card, Table } from "../../ui/parts.tsx";

interface ErrorRow {
  /** Only for request errors. */
  readonly status?: number;
  readonly title: string;
  readonly retryable: boolean;
}

type ErrorTable = Readonly<Record<string, ErrorRow>>;

/** The error tables in the service's OpenAPI document. */
interface ErrorTables {
  readonly "x-errors": ErrorTable;
  readonly "x-job-errors": ErrorTable;
  readonly "x-upload-errors": ErrorTable;
}

/** All errors. They are loaded on demand, because the document is large. */
export const Errors = () => {
  const { errors: text } = texts.value.docs;
  const [tables, setTables] = useState<ErrorTables | undefined>(undefined);
  const [problem, setProblem] = useState<unknown>(undefined);
  const show = (): Promise<void> =>
    api.get<ErrorTables>("openapi.json").then((document) => {
      setTables(document);
      setProblem(undefined);
    }, setProblem);
  return (
    <Card title={text.title}>
      <p>{text.lead}</p>
      {problem !== undefined && <ProblemNotice error={problem} />}
      {tables === undefined ? (
        <div class="actions">
          <Button onClick={show}>{text.show}</Button>
        </div>
      ) : (
        <>
          <ErrorTableView title={text.request} table={tables["x-errors"]} />
          <ErrorTableView title={text.job} table={tables["x-job-errors"]} />
          <ErrorTableView title={text.upload} table={tables["x-upload-errors"]} />
        </>
      )}
    </Card>
  );
};

const ErrorTableView = ({ title, table }: { readonly title: string; readonly table: ErrorTable }) => {
  const { docs, common } = texts.value;
  const { errors: text } = docs;
  const rows = Object.entries(table);
  const hasStatus = rows.some(([, { status }]) => status !== undefined);
  return (
    <section class="docs-errors">
      <h3>{title}</h3>
      <Table caption={title} head={[text.code, ...(hasStatus ? [text.status] : []), text.meaning, text.retry]}>
        {rows.map(([code, row]) => (
          <tr key={code}>
            <th scope="row">
              <code>{code}</code>
            </th>
            {hasStatus && <td>{row.status}</td>}
            <td lang="en">{row.title}</td>
            <td>{row.retryable ? common.yes : common.no}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
};
