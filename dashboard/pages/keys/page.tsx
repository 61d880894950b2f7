import { useState } from "preact/hooks";
import { Link, useSearchParams } from "wouter-preact";
import { api, type Schemas } from "../../api.ts";
import { newKey } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { FirstSteps } from "../../ui/first-steps.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Card, Empty, PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { CreateKeyDialog, createFirstKey } from "./create-key.tsx";
import { LimitsDialog, RevokeDialog, RotateDialog } from "./key-dialogs.tsx";
import { isValid, type Key } from "./key-state.ts";
import { type KeyAction, KeyTable } from "./key-table.tsx";
import { NewKeyCard } from "./new-key.tsx";
import "../../ui/stacked.css";
import "./keys.css";

type Open = { readonly action: "create" } | { readonly action: KeyAction; readonly key: Key } | undefined;

/** The account's API keys: create, list, rotate and revoke. */
export const KeysPage = () => {
  const { keys } = texts.value;
  const [query, setQuery] = useSearchParams();
  const [open, setOpen] = useState<Open>();
  const list = useRemote(() => api.get<Schemas["KeyList"]>("keys"));
  useReturn(list.reload);
  const fresh = newKey.value;
  const done = (): void => {
    setOpen(undefined);
    void list.reload();
  };
  const isWelcome = query.has("first") && fresh === undefined && list.data?.keys.length === 0;
  const firstCreated = (): void => {
    setQuery({}, { replace: true });
    done();
  };
  return (
    <>
      <PageHead
        title={keys.title}
        lead={keys.lead}
        actions={
          !isWelcome && (
            <Button kind={fresh ? "plain" : "primary"} onClick={() => setOpen({ action: "create" })}>
              <Icon name="key" /> {keys.create}
            </Button>
          )
        }
      />
      {fresh && <NewKeyCard newKey={fresh} />}
      {isWelcome && <FirstKey onCreated={firstCreated} />}
      <Loaded of={list} isEmpty={() => isWelcome}>
        {(data) => (
          <>
            <KeyLists keys={data.keys} onAction={(action, key) => setOpen({ action, key })} />
            {fresh === undefined && <FirstSteps keys={data.keys.length} />}
          </>
        )}
      </Loaded>
      {open?.action === "create" && <CreateKeyDialog onClose={() => setOpen(undefined)} onCreated={done} />}
      {open?.action === "limits" && <LimitsDialog of={open.key} onClose={() => setOpen(undefined)} onDone={done} />}
      {open?.action === "rotate" && <RotateDialog of={open.key} onClose={() => setOpen(undefined)} onDone={done} />}
      {open?.action === "revoke" && <RevokeDialog of={open.key} onClose={() => setOpen(undefined)} onDone={done} />}
    </>
  );
};

/** Shown after choosing the first plan. */
const FirstKey = ({ onCreated }: { readonly onCreated: () => void }) => {
  const { first } = texts.value.keys;
  const creation = useAction(createFirstKey);
  const make = async (): Promise<void> => {
    if (await creation.run()) {
      onCreated();
    }
  };
  return (
    <section class="card keys-first">
      <h2>{first.title}</h2>
      <p>{first.lead}</p>
      <div class="actions">
        <Button kind="primary" onClick={make}>
          <Icon name="key" /> {first.create}
        </Button>
        <Link class="button quiet" href="/">
          {first.later}
        </Link>
      </div>
      {creation.problem !== undefined && <ProblemNotice error={creation.problem} />}
    </section>
  );
};

interface KeyListsProps {
  readonly keys: readonly Key[];
  readonly onAction: (action: KeyAction, key: Key) => void;
}

/** The valid keys, and the inactive ones in a collapsed section. */
const KeyLists = ({ keys: all, onAction }: KeyListsProps) => {
  const { keys } = texts.value;
  const [valid, inactive] = [
    all.filter((key) => isValid(key, Date.now())),
    all.filter((key) => !isValid(key, Date.now())),
  ];
  return (
    <>
      {valid.length === 0 ? (
        <Empty>{keys.none}</Empty>
      ) : (
        <Card title={keys.list}>
          <KeyTable caption={keys.list} keys={valid} onAction={onAction} />
        </Card>
      )}
      {inactive.length > 0 && (
        <details class="card keys-inactive">
          <summary>{keys.inactive(inactive.length)}</summary>
          <KeyTable caption={keys.inactive(inactive.length)} keys={inactive} />
        </details>
      )}
    </>
  );
};
