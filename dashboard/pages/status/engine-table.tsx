import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { announce } from "../../ui/live.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Card, Table } from "../../ui/parts.tsx";
import { engineRows, familyCounts } from "./engines.ts";

/** The installed engines; the formats that depend on one are loaded on request. */
export const EngineTable = ({ engines }: { readonly engines: Schemas["Health"]["engines"] }) => {
  const { status: text } = texts.value;
  const rows = engineRows(engines);
  return (
    <Card title={text.engines}>
      <p class="muted">{text.enginesLead(rows.length)}</p>
      <Table caption={text.engines} head={[text.engine, text.version, text.formatsColumn]}>
        {rows.map(({ name, version }) => (
          <tr key={name}>
            <th scope="row" class="status-engine">
              {name}
            </th>
            <td>{version ?? text.systemVersion}</td>
            <td>
              <DependentFormats engine={name} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
};

/** The formats with a conversion that the engine takes part in, counted by family. */
const DependentFormats = ({ engine }: { readonly engine: string }) => {
  const { status: text } = texts.value;
  const [formats, setFormats] = useState<readonly Schemas["Format"][] | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const load = async (): Promise<void> => {
    try {
      const list = await api.get<Schemas["FormatList"]>(`formats?engine=${encodeURIComponent(engine)}`);
      setFormats(list.formats);
      announce(familiesIn(list.formats));
    } catch (problem) {
      setError(problem);
    }
  };
  if (formats !== undefined) {
    return familiesIn(formats);
  }
  return (
    <>
      <Button kind="quiet" aria-label={text.showFormatsOf(engine)} onClick={load}>
        {text.showFormats}
      </Button>
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  );
};

const familiesIn = (formats: readonly Schemas["Format"][]): string => {
  const { status: text, formats: names, common } = texts.value;
  const counts = familyCounts(formats).map(([family, count]) => text.family(names.families[family] ?? family, count));
  return counts.length === 0 ? common.none : counts.join(", ");
};
