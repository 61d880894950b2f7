import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Badge, Card, Table } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Ago } from "../../ui/time.tsx";

type Device = Schemas["DeviceList"]["sessions"][number];

/** The account's sessions, with buttons to end them. */
export const Devices = () => {
  const { account: text } = texts.value;
  const list = useRemote(() => api.get<Schemas["DeviceList"]>("session/devices"));
  const end = useAction(async (...ids: readonly string[]) => {
    for (const id of ids) {
      await api.remove(`session/devices/${id}`);
    }
    await list.reload();
    toast(text.signedOut);
    document.getElementById("devices")?.focus();
  });
  const others = list.data?.sessions.filter(({ current }) => !current).map(({ id }) => id) ?? [];
  return (
    <Card
      id="devices"
      title={text.devices}
      actions={
        others.length > 0 && <Button onClick={() => end.run(...others)}>{text.signOutOthers(others.length)}</Button>
      }
    >
      <p class="lead">{text.devicesLead}</p>
      {end.problem !== undefined && <ProblemNotice error={end.problem} />}
      <Loaded of={list}>{({ sessions }) => <DeviceTable devices={sessions} onEnd={(id) => end.run(id)} />}</Loaded>
    </Card>
  );
};

/** @returns the localized name; the service sends `Firefox on Linux` */
const named = ({ device }: Device): string => {
  const [browser = "", system] = device.split(" on ");
  return system === undefined ? browser : texts.value.account.browserOn(browser, system);
};

interface DeviceTableProps {
  readonly devices: readonly Device[];
  readonly onEnd: (id: string) => unknown;
}

const DeviceTable = ({ devices, onEnd }: DeviceTableProps) => {
  const { account: text } = texts.value;
  return (
    <div class="stacked">
      <Table
        caption={text.devices}
        head={[text.device, text.signedIn, text.lastUsed, <span class="hidden">{text.actions}</span>]}
      >
        {devices.map((device) => (
          <tr key={device.id}>
            <td>
              <strong>{named(device)}</strong> {device.current && <Badge tone="good">{text.thisDevice}</Badge>}
            </td>
            <td data-label={text.signedIn}>
              <span>
                <Ago at={device.created_at} />, {text.by[device.by]}
              </span>
            </td>
            <td data-label={text.lastUsed}>
              <Ago at={device.last_used_at} />
            </td>
            <td class="row-actions">
              {!device.current && (
                <Button aria-label={text.signOutNamed(named(device))} onClick={() => onEnd(device.id)}>
                  {text.signOutThere}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};
