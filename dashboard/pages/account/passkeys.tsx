import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api.ts";
import { date } from "../../format.ts";
import { hasPasskeys, type Passkey } from "../../passkeys.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { toast } from "../../ui/live.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { Ago } from "../../ui/time.tsx";
import { AddPasskey } from "./add-passkey.tsx";

/** The account's passkeys, with buttons to add and remove them. */
export const Passkeys = () => {
  const { account: text } = texts.value;
  const [dialog, setDialog] = useState<"add" | Passkey | undefined>(undefined);
  const list = useRemote(() => api.get<Schemas["PasskeyList"]>("session/passkeys"));
  const close = (): void => setDialog(undefined);
  const onAdded = async (name: string): Promise<void> => {
    close();
    await list.reload();
    toast(text.passkeyAdded(name));
  };
  return (
    <Card
      id="passkeys"
      title={text.passkeys}
      actions={hasPasskeys() && <Button onClick={() => setDialog("add")}>{text.addPasskey}</Button>}
    >
      <p class="lead">{text.passkeysLead}</p>
      {!hasPasskeys() && <Notice kind="info">{text.noPasskeysHere}</Notice>}
      <Loaded
        of={list}
        isEmpty={({ passkeys }) => passkeys.length === 0}
        empty={<p class="muted">{text.noPasskeys}</p>}
      >
        {({ passkeys }) => <List passkeys={passkeys} onRemove={setDialog} />}
      </Loaded>
      {dialog === "add" && <AddPasskey onAdded={onAdded} onClose={close} />}
      {typeof dialog === "object" && <Remove passkey={dialog} onClose={close} onRemoved={list.reload} />}
    </Card>
  );
};

interface ListProps {
  readonly passkeys: readonly Passkey[];
  readonly onRemove: (passkey: Passkey) => void;
}

const List = ({ passkeys, onRemove }: ListProps) => {
  const { account: text } = texts.value;
  return (
    <ul class="account-list">
      {passkeys.map((passkey) => (
        <li key={passkey.id}>
          <div>
            <strong>{passkey.name}</strong>
            <p class="muted">
              {text.addedOn(date(passkey.created_at))},{" "}
              {passkey.last_used_at === null ? (
                text.usedNever
              ) : (
                <>
                  {text.usedLast} <Ago at={passkey.last_used_at} />
                </>
              )}
            </p>
          </div>
          <Button aria-label={text.removeNamed(passkey.name)} onClick={() => onRemove(passkey)}>
            {text.remove}
          </Button>
        </li>
      ))}
    </ul>
  );
};

interface RemoveProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
  readonly onRemoved: () => Promise<void>;
}

const Remove = ({ passkey, onClose, onRemoved }: RemoveProps) => {
  const { account: text } = texts.value;
  const remove = async (): Promise<void> => {
    await api.remove(`session/passkeys/${encodeURIComponent(passkey.id)}`);
    onClose();
    await onRemoved();
    document.getElementById("passkeys")?.focus();
  };
  return (
    <Confirm title={text.removeTitle(passkey.name)} action={text.remove} onConfirm={remove} onClose={onClose}>
      <p>{text.removeWhat}</p>
    </Confirm>
  );
};
