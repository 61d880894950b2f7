import type { Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { Card, Table } from "../../ui/parts.tsx";
import { type EngineRow, engineRows } from "./engines.ts";

export interface EngineTableProps {
  readonly engines: Schemas["Health"]["engines"];
  readonly formats: readonly Schemas["Format"][];
}

export const EngineTable = ({ engines, formats }: EngineTableProps) => {
  const { status: text } = texts.value;
  const rows = engineRows(engines, formats);
  return (
    <Card title={text.engines}>
      <p class="muted">{text.enginesLead(rows.length)}</p>
      <Table caption={text.engines} head={[text.engine, text.version, text.formatsColumn]}>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row" class="status-engine">
              {row.name}
            </th>
            <td>{row.version ?? text.systemVersion}</td>
            <td>{dependentFormats(row)}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
};

const dependentFormats = ({ families }: EngineRow): string => {
  const { status: text, formats: names } = texts.value;
  return families.length === 0
    ? texts.value.common.none
    : families.map(([family, count]) => text.family(names.families[family] ?? family, count)).join(", ");
};
