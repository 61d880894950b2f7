import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Card, Empty, PageHead, Table } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Ago } from "../../ui/time.tsx";
import { PresetForm } from "./preset-form.tsx";
import "../../ui/stacked.css";
import "./presets.css";

type Preset = Schemas["Preset"];

type Open = { readonly action: "add" } | { readonly action: "edit" | "remove"; readonly preset: Preset } | undefined;

/** The account's presets: add, edit and delete. */
export const PresetsPage = () => {
  const { presets } = texts.value;
  const [open, setOpen] = useState<Open>();
  const list = useRemote(() => api.get<Schemas["PresetList"]>("presets"));
  useReturn(list.reload);
  const close = (): void => setOpen(undefined);
  const done = (): void => {
    close();
    void list.reload();
  };
  const first = list.data?.presets[0];
  return (
    <>
      <PageHead
        title={presets.title}
        lead={presets.lead}
        actions={
          <Button kind="primary" onClick={() => setOpen({ action: "add" })}>
            <Icon name="settings" /> {presets.add}
          </Button>
        }
      />
      <Loaded of={list} isEmpty={(data) => data.presets.length === 0} empty={<Empty>{presets.none}</Empty>}>
        {(data) => (
          <Card title={presets.list}>
            <PresetTable presets={data.presets} onAction={(action, preset) => setOpen({ action, preset })} />
          </Card>
        )}
      </Loaded>
      {first && <Usage name={first.name} />}
      {open?.action === "add" && <PresetForm onClose={close} onSaved={done} />}
      {open?.action === "edit" && <PresetForm of={open.preset} onClose={close} onSaved={done} />}
      {open?.action === "remove" && <RemoveDialog name={open.preset.name} onClose={close} onDone={done} />}
    </>
  );
};

interface PresetTableProps {
  readonly presets: readonly Preset[];
  readonly onAction: (action: "edit" | "remove", preset: Preset) => void;
}

const PresetTable = ({ presets: rows, onAction }: PresetTableProps) => {
  const { presets } = texts.value;
  const heads = [presets.name, presets.target, presets.options, presets.steps, presets.updated];
  return (
    <div class="stacked">
      <Table caption={presets.list} head={[...heads, <span class="hidden">{presets.actions}</span>]}>
        {rows.map((preset) => (
          <tr key={preset.name}>
            <th scope="row">{preset.name}</th>
            <td data-label={presets.target}>{preset.target_format ?? presets.any}</td>
            <td data-label={presets.options} class="presets-options">
              {optionsText(preset.options)}
            </td>
            <td data-label={presets.steps}>
              {(preset.steps ?? []).map(({ operation }) => String(operation)).join(", ") || "–"}
            </td>
            <td data-label={presets.updated}>
              <Ago at={preset.updated_at} />
            </td>
            <td class="row-actions">
              <Button kind="quiet" aria-label={presets.editOf(preset.name)} onClick={() => onAction("edit", preset)}>
                {presets.edit}
              </Button>
              <Button
                kind="quiet"
                aria-label={presets.removeOf(preset.name)}
                onClick={() => onAction("remove", preset)}
              >
                {presets.remove}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};

const optionsText = (options: Preset["options"]): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ") || "–";

const Usage = ({ name }: { readonly name: string }) => {
  const { presets } = texts.value;
  const code = `curl ${location.origin}/api/v1/convert -H "Authorization: Bearer $KEY" \\
  -F file=@photo.heic -F preset=${name} -OJ`;
  return (
    <Card title={presets.use}>
      <p class="muted">{presets.useLead}</p>
      <Code text={code} label={presets.useLabel} />
    </Card>
  );
};

interface RemoveDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const RemoveDialog = ({ name, onClose, onDone }: RemoveDialogProps) => {
  const { removal } = texts.value.presets;
  const remove = async (): Promise<void> => {
    await api.remove(`presets/${encodeURIComponent(name)}`);
    toast(removal.done(name));
    onDone();
  };
  return (
    <Confirm title={removal.title(name)} action={removal.action} onConfirm={remove} onClose={onClose}>
      <p>{removal.lead}</p>
    </Confirm>
  );
};
