import { number } from "../../format.ts";
import { locale, texts } from "../../text.ts";
import { Table } from "../../ui/parts.tsx";
import { type Day, type Kind, totalsOf, views } from "./chart-layout.ts";
import { dayName } from "./months.ts";

const KINDS: readonly Kind[] = [...views.byOperation, ...views.byResult];

/** The numbers of the chart, both ways of looking at them, as a table that can be opened. */
export const DayTable = ({ days }: { readonly days: readonly Day[] }) => {
  const { use } = texts.value;
  const totals = totalsOf(days);
  return (
    <details class="use-table">
      <summary>{use.asTable}</summary>
      <Table caption={use.asTable} head={[use.day, ...KINDS.map((kind) => use.kinds[kind])]}>
        {days.toReversed().map((day) => (
          <tr key={day.date}>
            <th scope="row">{dayName(day.date, locale.value)}</th>
            {cells(day)}
          </tr>
        ))}
        <tr class="use-sum">
          <th scope="row">{use.sum}</th>
          {cells(totals)}
        </tr>
      </Table>
    </details>
  );
};

const cells = (counts: Readonly<Record<Kind, number>>) =>
  KINDS.map((kind) => <td key={kind}>{number(counts[kind])}</td>);
