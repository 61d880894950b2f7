import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api } from "../../api.ts";
import { freshKey } from "../../fresh-key.ts";
import { isMember } from "../../session.ts";
import { texts } from "../../text.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { createFirstKey } from "../keys/create-key.tsx";
import type { Key } from "../keys/key-state.ts";
import { pastedKey } from "./pasted-key.ts";
import { isCompleteKey } from "./samples.ts";

/** Shows whether the examples have a key, and how to add one. */
export const KeyCard = () => {
  const { key: text } = texts.value.docs;
  return <Card title={text.title}>{isMember.value ? <Own /> : <SignedOut />}</Card>;
};

const SignedOut = () => {
  const { key: text } = texts.value.docs;
  return (
    <>
      <p>{text.signedOut}</p>
      <div class="actions">
        <Link class="button primary" href="/sign-in?next=%2Fdocs">
          {text.signIn}
        </Link>
      </div>
    </>
  );
};

const Own = () => {
  const { key: text } = texts.value.docs;
  if (freshKey.value !== undefined) {
    return <Notice kind="good">{text.filled}</Notice>;
  }
  if (pastedKey.value !== undefined) {
    return (
      <div class="docs-pasted">
        <Notice kind="good">{text.pasted}</Notice>
        <Button onClick={() => (pastedKey.value = undefined)}>{text.remove}</Button>
      </div>
    );
  }
  return <Unknown />;
};

/** Only the owner has the complete key: they can paste it, or create another one. */
const Unknown = () => {
  const { key: text } = texts.value.docs;
  const { data, error } = useRemote(() => api.get<{ readonly keys: readonly Key[] }>("keys"));
  const creation = useAction(createFirstKey);
  const active = data?.keys.filter(({ revoked_at }) => revoked_at === null);
  const newest = active?.find(({ kind }) => kind === "live") ?? active?.[0];
  return (
    <div class="docs-own">
      {error !== undefined && <ProblemNotice error={error} />}
      {data !== undefined && <p>{newest === undefined ? text.none : text.prefix(newest.prefix)}</p>}
      {newest !== undefined && (
        <div class="docs-key">
          <PasteKey />
        </div>
      )}
      {data !== undefined && (
        <div class="actions">
          <Button kind={newest === undefined ? "primary" : "plain"} onClick={() => creation.run()}>
            <Icon name="key" /> {text.create}
          </Button>
        </div>
      )}
      {creation.problem !== undefined && <ProblemNotice error={creation.problem} />}
    </div>
  );
};

/** An input that takes a complete key. */
export const PasteKey = () => {
  const { key: text } = texts.value.docs;
  const [typed, setTyped] = useState("");
  const isWrong = typed.trim() !== "" && !isCompleteKey(typed.trim());
  const take = (value: string): void => {
    setTyped(value);
    if (isCompleteKey(value.trim())) {
      pastedKey.value = value.trim();
    }
  };
  return (
    <TextField
      type="password"
      label={text.paste}
      value={typed}
      onText={take}
      error={isWrong && text.wrong}
      autocomplete="off"
      spellcheck={false}
    />
  );
};
