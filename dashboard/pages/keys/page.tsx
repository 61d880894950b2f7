import { useState } from "preact/hooks";
import { Link, useSearchParams } from "wouter-preact";
import { api, type Schemas } from "../../api.ts";
import { madeKey } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { FirstSteps } from "../../ui/first-steps.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useReturn } from "../../ui/on-return.ts";
import { Card, Empty, PageHead } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { RevokeDialog, RotateDialog } from "./key-dialogs.tsx";
import { holds, type Key } from "./key-state.ts";
import { KeyTable } from "./key-table.tsx";
import { MadeKeyCard } from "./made-key.tsx";
import { MakeKeyDialog, makeFirstKey } from "./make-key.tsx";
import "../../ui/stacked.css";
import "./keys.css";

type Open = { readonly act: "make" } | { readonly act: "revoke" | "rotate"; readonly key: Key } | undefined;

/** The account's API keys: makes, shows, rotates and revokes them. */
export const KeysPage = () => {
  const { keys } = texts.value;
  const [query, setQuery] = useSearchParams();
  const [open, setOpen] = useState<Open>();
  const list = useRemote(() => api.get<Schemas["KeyList"]>("keys"));
  useReturn(list.reload);
  const made = madeKey.value;
  const done = (): void => {
    setOpen(undefined);
    void list.reload();
  };
  const greets = query.has("first") && made === undefined && list.data?.keys.length === 0;
  const madeFirst = (): void => {
    setQuery({}, { replace: true });
    done();
  };
  return (
    <>
      <PageHead
        title={keys.title}
        lead={keys.lead}
        actions={
          !greets && (
            <Button kind={made ? "plain" : "primary"} onClick={() => setOpen({ act: "make" })}>
              <Icon name="key" /> {keys.make}
            </Button>
          )
        }
      />
      {made && <MadeKeyCard made={made} />}
      {greets && <FirstKey onMade={madeFirst} />}
      {list.error !== undefined && <ProblemNotice error={list.error} />}
      {list.data === undefined && list.loading && <Loading />}
      {list.data && !greets && <KeyLists keys={list.data.keys} onAct={(act, key) => setOpen({ act, key })} />}
      {list.data && !greets && made === undefined && <FirstSteps keys={list.data.keys.length} />}
      {open?.act === "make" && <MakeKeyDialog onClose={() => setOpen(undefined)} onMade={done} />}
      {open?.act === "rotate" && <RotateDialog of={open.key} onClose={() => setOpen(undefined)} onDone={done} />}
      {open?.act === "revoke" && <RevokeDialog of={open.key} onClose={() => setOpen(undefined)} onDone={done} />}
    </>
  );
};

/** Greets who has just picked a plan. */
const FirstKey = ({ onMade }: { readonly onMade: () => void }) => {
  const { first } = texts.value.keys;
  const making = useAction(makeFirstKey);
  const make = async (): Promise<void> => {
    if (await making.run()) {
      onMade();
    }
  };
  return (
    <section class="card keys-first">
      <h2>{first.title}</h2>
      <p>{first.lead}</p>
      <div class="actions">
        <Button kind="primary" onClick={make}>
          <Icon name="key" /> {first.make}
        </Button>
        <Link class="button quiet" href="/">
          {first.later}
        </Link>
      </div>
      {making.problem !== undefined && <ProblemNotice error={making.problem} />}
    </section>
  );
};

interface KeyListsProps {
  readonly keys: readonly Key[];
  readonly onAct: (act: "revoke" | "rotate", key: Key) => void;
}

/** The keys that hold, and folded away those that no longer do. */
const KeyLists = ({ keys: all, onAct }: KeyListsProps) => {
  const { keys } = texts.value;
  const [holding, old] = [all.filter((key) => holds(key, Date.now())), all.filter((key) => !holds(key, Date.now()))];
  return (
    <>
      {holding.length === 0 ? (
        <Empty>{keys.none}</Empty>
      ) : (
        <Card title={keys.list}>
          <KeyTable caption={keys.list} keys={holding} onAct={onAct} />
        </Card>
      )}
      {old.length > 0 && (
        <details class="card keys-old">
          <summary>{keys.old(old.length)}</summary>
          <KeyTable caption={keys.old(old.length)} keys={old} />
        </details>
      )}
    </>
  );
};
