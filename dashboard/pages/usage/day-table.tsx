import { number } from "../../format.ts";
import { locale, texts } from "../../text.ts";
import { Table } from "../../ui/parts.tsx";
import { type Day, type Kind, totalsOf, views } from "./chart-layout.ts";
import { dayName } from "./months.ts";

const KINDS: readonly Kind[] = [...views.byOperation, ...views.byResult];

/** The numbers of both views of the chart as a collapsible table. */
export const DayTable = ({ days }: { readonly days: readonly Day[] }) => {
  const { usage } = texts.value;
  const totals = totalsOf(days);
  return (
    <details class="usage-table">
      <summary>{usage.asTable}</summary>
      <Table caption={usage.asTable} head={[usage.day, ...KINDS.map((kind) => usage.kinds[kind])]}>
        {days.toReversed().map((day) => (
          <tr key={day.date}>
            <th scope="row">{dayName(day.date, locale.value)}</th>
            {cells(day)}
          </tr>
        ))}
        <tr class="usage-total">
          <th scope="row">{usage.total}</th>
          {cells(totals)}
        </tr>
      </Table>
    </details>
  );
};

const cells = (counts: Readonly<Record<Kind, number>>) =>
  KINDS.map((kind) => <td key={kind}>{number(counts[kind])}</td>);
