import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Badge, Card, Empty, PageHead, Table } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Ago } from "../../ui/time.tsx";
import { StorageForm } from "./storage-form.tsx";
import "../../ui/stacked.css";
import "./storages.css";

type Storage = Schemas["Storage"];

type Open = { readonly action: "add" } | { readonly action: "edit" | "remove"; readonly storage: Storage } | undefined;

interface Tested extends Readonly<Schemas["StorageTest"]> {
  readonly name: string;
}

/** The account's storages: add, test, replace and delete. */
export const StoragesPage = () => {
  const { storages } = texts.value;
  const [open, setOpen] = useState<Open>();
  const [tested, setTested] = useState<Tested>();
  const list = useRemote(() => api.get<Schemas["StorageList"]>("storages"));
  useReturn(list.reload);
  const testing = useAction(async (name: string) => {
    setTested(undefined);
    setTested({ name, ...(await api.post<Schemas["StorageTest"]>(`storages/${encodeURIComponent(name)}/test`)) });
  });
  const close = (): void => setOpen(undefined);
  const saved = async (name: string): Promise<void> => {
    close();
    await list.reload();
    await testing.run(name);
  };
  const first = list.data?.storages[0];
  return (
    <>
      <PageHead
        title={storages.title}
        lead={storages.lead}
        actions={
          <Button kind="primary" onClick={() => setOpen({ action: "add" })}>
            <Icon name="archive" /> {storages.add}
          </Button>
        }
      />
      {testing.problem !== undefined && <ProblemNotice error={testing.problem} />}
      {tested && <TestNotice of={tested} />}
      <Loaded of={list} isEmpty={(data) => data.storages.length === 0} empty={<Empty>{storages.none}</Empty>}>
        {(data) => (
          <Card title={storages.list}>
            <StorageTable
              storages={data.storages}
              onTest={({ name }) => testing.run(name)}
              onAction={(action, storage) => setOpen({ action, storage })}
            />
          </Card>
        )}
      </Loaded>
      {first && <Usage name={first.name} />}
      {open?.action === "add" && <StorageForm onClose={close} onSaved={saved} />}
      {open?.action === "edit" && <StorageForm of={open.storage} onClose={close} onSaved={saved} />}
      {open?.action === "remove" && (
        <RemoveDialog
          name={open.storage.name}
          onClose={close}
          onDone={() => {
            close();
            setTested(undefined);
            void list.reload();
          }}
        />
      )}
    </>
  );
};

const TestNotice = ({ of: { name, succeeded, error } }: { readonly of: Tested }) => {
  const { storages } = texts.value;
  return (
    <Notice kind={succeeded ? "good" : "bad"}>
      {succeeded ? (
        storages.works(name)
      ) : (
        <>
          {storages.fails(name)} <span lang="en">{error}</span>
        </>
      )}
    </Notice>
  );
};

interface StorageTableProps {
  readonly storages: readonly Storage[];
  readonly onTest: (storage: Storage) => unknown;
  readonly onAction: (action: "edit" | "remove", storage: Storage) => void;
}

const StorageTable = ({ storages: rows, onTest, onAction }: StorageTableProps) => {
  const { storages } = texts.value;
  const heads = [storages.name, storages.type, storages.place, storages.updated];
  return (
    <div class="stacked">
      <Table caption={storages.list} head={[...heads, <span class="hidden">{storages.actions}</span>]}>
        {rows.map((storage) => (
          <tr key={storage.name}>
            <th scope="row">{storage.name}</th>
            <td data-label={storages.type}>
              <Badge>{storages.types[storage.type]}</Badge>
            </td>
            <td data-label={storages.place} class="storages-place">
              {placeOf(storage)}
            </td>
            <td data-label={storages.updated}>
              <Ago at={storage.updated_at} />
            </td>
            <td class="row-actions">
              <Button kind="quiet" aria-label={storages.testOf(storage.name)} onClick={() => onTest(storage)}>
                {storages.test}
              </Button>
              <Button kind="quiet" aria-label={storages.editOf(storage.name)} onClick={() => onAction("edit", storage)}>
                {storages.edit}
              </Button>
              <Button
                kind="quiet"
                aria-label={storages.removeOf(storage.name)}
                onClick={() => onAction("remove", storage)}
              >
                {storages.remove}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};

const placeOf = ({ endpoint, bucket }: Storage): string => {
  const place = endpoint.replace(/^https?:\/\//, "");
  return bucket === null ? place : `${bucket} · ${place}`;
};

const Usage = ({ name }: { readonly name: string }) => {
  const { storages } = texts.value;
  const code = `curl ${location.origin}/api/v1/convert -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"upload_id": "upl_…", "target_format": "pdf", "export": {"storage": "${name}", "key": "{name}"}}'`;
  return (
    <Card title={storages.use}>
      <p class="muted">{storages.useLead}</p>
      <Code text={code} label={storages.useLabel} />
    </Card>
  );
};

interface RemoveDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const RemoveDialog = ({ name, onClose, onDone }: RemoveDialogProps) => {
  const { removal } = texts.value.storages;
  const remove = async (): Promise<void> => {
    await api.remove(`storages/${encodeURIComponent(name)}`);
    toast(removal.done(name));
    onDone();
  };
  return (
    <Confirm title={removal.title(name)} action={removal.action} onConfirm={remove} onClose={onClose}>
      <p>{removal.lead}</p>
    </Confirm>
  );
};
