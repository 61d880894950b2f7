import type { Schemas } from "../../api.ts";
import { bytes, duration, number } from "../../format.ts";
import { texts } from "../../text.ts";
import { Card, Facts, Table } from "../../ui/parts.tsx";
import { Ago } from "../../ui/time.tsx";

type Overview = Schemas["OperatorOverview"];

/** Queues, failures, space and settings of the service. */
export const ServiceState = ({ overview }: { readonly overview: Overview }) => (
  <>
    <Queues lanes={overview.lanes} />
    <DeadLetters queues={overview.dead_letters} />
    <Failures failures={overview.failures} />
    <Service overview={overview} />
    <Named title={texts.value.operator.settings} values={overview.settings} />
    <Named title={texts.value.operator.engines} values={overview.engines} />
  </>
);

const Queues = ({ lanes }: { readonly lanes: Overview["lanes"] }) => {
  const { operator: text } = texts.value;
  return (
    <Card title={text.queues}>
      <div class="stacked">
        <Table caption={text.queues} head={[text.lane, text.waiting, text.active, text.oldest]}>
          {lanes.map((lane) => (
            <tr key={lane.lane}>
              <th scope="row">{lane.lane}</th>
              <td data-label={text.waiting}>{number(lane.waiting)}</td>
              <td data-label={text.active}>{number(lane.active)}</td>
              <td data-label={text.oldest}>
                {lane.waiting === 0
                  ? text.unknown
                  : lane.oldest_ms === null
                    ? text.inCloudWatch
                    : duration(lane.oldest_ms)}
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </Card>
  );
};

/** Only queues with such messages: usually there are none. */
const DeadLetters = ({ queues }: { readonly queues: Overview["dead_letters"] }) => {
  const { operator: text } = texts.value;
  const filled = queues.filter(({ messages }) => messages > 0);
  return (
    <Card title={text.dead}>
      <p class="muted">{text.deadLead}</p>
      {filled.length === 0 ? (
        <p>{text.noDead}</p>
      ) : (
        <Facts facts={filled.map(({ queue, messages }) => [queue, number(messages)])} />
      )}
    </Card>
  );
};

const Failures = ({ failures }: { readonly failures: Overview["failures"] }) => {
  const { operator: text } = texts.value;
  return (
    <Card title={text.failures}>
      <p class="muted">{text.failuresLead}</p>
      {failures.length === 0 ? (
        <p>{text.noFailures}</p>
      ) : (
        <div class="stacked">
          <Table caption={text.failures} head={[text.engine, text.failed, text.example]}>
            {failures.map(({ engine, failed, example }) => (
              <tr key={engine}>
                <th scope="row">{engine}</th>
                <td data-label={text.failed}>{number(failed)}</td>
                <td data-label={text.example}>{example === null ? text.unknown : <Example of={example} />}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </Card>
  );
};

const Example = ({ of: example }: { readonly of: NonNullable<Overview["failures"][number]["example"]> }) => (
  <>
    {example.source_format} → {example.target_format}, <Ago at={example.at} />: <code>{example.code}</code>{" "}
    <span lang="en">{example.detail}</span>{" "}
    <small class="muted">
      <code>{example.job_id}</code>, <code>{example.account_id}</code>
    </small>
  </>
);

const Service = ({ overview: { version, disk, retention } }: { readonly overview: Overview }) => {
  const { operator: text } = texts.value;
  return (
    <Card title={text.facts}>
      <Facts
        facts={[
          [text.version, version],
          [
            text.disk,
            disk === null ? text.diskUnlimited : text.diskFree(bytes(disk.free_bytes), bytes(disk.total_bytes)),
          ],
          [text.files, text.hours(retention.files_hours)],
          [text.records, text.days(retention.records_days)],
        ]}
      />
    </Card>
  );
};

/** Names and values, folded. */
const Named = ({ title, values }: { readonly title: string; readonly values: Readonly<Record<string, string>> }) => (
  <Card>
    <details>
      <summary>{title}</summary>
      <Facts
        facts={Object.entries(values).map(([name, value]) => [
          name,
          value === "" ? <span class="muted">{texts.value.operator.unset}</span> : <code>{value}</code>,
        ])}
      />
    </details>
  </Card>
);
