import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { bytes, number } from "../../format.ts";
import { texts } from "../../text.ts";
import { SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { problemText } from "../../ui/notice.tsx";
import { Card, Empty, Table } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { bytesOf, countOf, type Group, type Grouping, groupings, groupsOf, type UsageDetail } from "./breakdown.ts";
import type { Usage } from "./chart-layout.ts";
import { totalsOf } from "./chart-layout.ts";

/** Groups in the table; all are in the CSV file. */
const GROUPS_MAX = 50;

/** The jobs of the month by key, conversion or error, with their bytes, and all of them as a CSV file. */
export const Breakdown = ({ usage: read }: { readonly usage: Usage }) => {
  const { breakdown } = texts.value.usage;
  const { month } = read;
  const details = useRemote(() => api.get<Schemas["UseDetails"]>(`account/use/details?month=${month}`), [read]);
  return (
    <Card
      title={breakdown.title}
      actions={
        <a class="button plain" href={`/api/v1/account/use/details.csv?month=${month}`} download>
          <Icon name="download" /> {breakdown.csv}
        </a>
      }
    >
      <Loaded of={details}>{({ rows }) => <Groups rows={rows} usage={read} />}</Loaded>
    </Card>
  );
};

const Groups = ({ rows, usage: read }: { readonly rows: readonly UsageDetail[]; readonly usage: Usage }) => {
  const { breakdown } = texts.value.usage;
  const [by, setBy] = useState<Grouping>("key");
  const groups = groupsOf(rows, by);
  const { read: bytesIn, written } = bytesOf(rows);
  return (
    <>
      <div class="usage-choices">
        <SelectField
          label={breakdown.by}
          value={by}
          choices={groupings.map((each) => [each, breakdown.groupings[each]])}
          onChoice={(next) => setBy(groupings.find((each) => each === next) ?? "key")}
        />
      </div>
      {rows.length > 0 && <p>{breakdown.bytes(bytes(bytesIn), bytes(written))}</p>}
      {groups.length === 0 ? (
        <Empty>{by === "error" && rows.length > 0 ? breakdown.noErrors : breakdown.none}</Empty>
      ) : (
        <GroupTable groups={groups.slice(0, GROUPS_MAX)} by={by} />
      )}
      {groups.length > GROUPS_MAX && <p class="hint">{breakdown.more(number(groups.length - GROUPS_MAX))}</p>}
      <Uncounted rows={rows} usage={read} />
    </>
  );
};

/** Jobs that ended before this breakdown was counted. Renders nothing if there are none. */
const Uncounted = ({ rows, usage: read }: { readonly rows: readonly UsageDetail[]; readonly usage: Usage }) => {
  const { completed, failed, cancelled } = totalsOf(read.days);
  const missing = completed + failed + cancelled - countOf(rows);
  return missing > 0 ? <p class="hint">{texts.value.usage.breakdown.uncounted(number(missing))}</p> : null;
};

const GroupTable = ({ groups, by }: { readonly groups: readonly Group[]; readonly by: Grouping }) => {
  const { breakdown, kinds } = texts.value.usage;
  const keys = useRemote(() => api.get<Schemas["KeyList"]>("keys"));
  const nameOf = (id: string): string => {
    if (by === "key") {
      const name = keys.data?.keys.find((key) => key.id === id)?.name;
      return id === "" ? breakdown.dashboard : (name ?? `…${id.slice(-6)}`);
    }
    return by === "error" ? (problemText(id) ?? id) : id;
  };
  const heads = [breakdown.groupings[by], kinds.completed, kinds.failed, kinds.cancelled, breakdown.in, breakdown.out];
  return (
    <div class="stacked">
      <Table caption={breakdown.title} head={heads}>
        {groups.map((group) => (
          <tr key={group.id}>
            <th scope="row">
              {nameOf(group.id)}
              {by === "error" && <code class="usage-code">{group.id}</code>}
            </th>
            <td data-label={kinds.completed}>{number(group.completed)}</td>
            <td data-label={kinds.failed}>{number(group.failed)}</td>
            <td data-label={kinds.cancelled}>{number(group.cancelled)}</td>
            <td data-label={breakdown.in}>{bytes(group.bytesIn)}</td>
            <td data-label={breakdown.out}>{bytes(group.bytesOut)}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
};
