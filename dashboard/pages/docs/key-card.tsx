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
import type { Key } from "../keys/key-state.ts";
import { makeFirstKey } from "../keys/make-key.tsx";
import { pastedKey } from "./pasted-key.ts";
import { looksLikeKey } from "./samples.ts";

/** Whose key stands in the examples, and how to have one's own there. */
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
        <Button onClick={() => (pastedKey.value = undefined)}>{text.forget}</Button>
      </div>
    );
  }
  return <Unknown />;
};

/** The whole key is nowhere but with its owner, who may paste it, or make another. */
const Unknown = () => {
  const { key: text } = texts.value.docs;
  const { data, error } = useRemote(() => api.get<{ readonly keys: readonly Key[] }>("keys"));
  const making = useAction(makeFirstKey);
  const held = data?.keys.filter(({ revoked_at }) => revoked_at === null);
  const newest = held?.find(({ kind }) => kind === "live") ?? held?.[0];
  return (
    <div class="docs-own">
      {error !== undefined && <ProblemNotice error={error} />}
      {data !== undefined && <p>{newest === undefined ? text.none : text.prefix(newest.prefix)}</p>}
      {newest !== undefined && (
        <div class="docs-key">
          <Paste />
        </div>
      )}
      {data !== undefined && (
        <div class="actions">
          <Button kind={newest === undefined ? "primary" : "plain"} onClick={() => making.run()}>
            <Icon name="key" /> {text.make}
          </Button>
        </div>
      )}
      {making.problem !== undefined && <ProblemNotice error={making.problem} />}
    </div>
  );
};

const Paste = () => {
  const { key: text } = texts.value.docs;
  const [typed, setTyped] = useState("");
  const isWrong = typed.trim() !== "" && !looksLikeKey(typed.trim());
  const take = (value: string): void => {
    setTyped(value);
    if (looksLikeKey(value.trim())) {
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
