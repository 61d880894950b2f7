import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { markSaved, type NewKey } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Code, CopyButton } from "../../ui/copy.tsx";
import { Notice } from "../../ui/notice.tsx";
import { curlExample } from "./curl.ts";

/** Shows a new key once, with commands to try it. It stays, even after visiting other pages, until the user has saved it. */
export const NewKeyCard = ({ newKey }: { readonly newKey: NewKey }) => {
  const { keys } = texts.value;
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves the focus to each new key, so that it is visible and announced.
  useEffect(() => {
    heading.current?.focus();
  }, [newKey.key]);
  return (
    <section class="card keys-new" aria-labelledby="keys-new">
      <h2 id="keys-new" ref={heading} tabIndex={-1}>
        {keys.fresh.title(newKey.name)}
      </h2>
      <Notice kind="warning">{keys.fresh.once}</Notice>
      <div class="keys-secret">
        <textarea
          class="keys-full"
          rows={1}
          readOnly
          aria-label={keys.fresh.keyLabel}
          value={newKey.key}
          onFocus={select}
        />
        <CopyButton text={newKey.key} label={keys.fresh.copyKey} />
      </div>
      <TryIt newKey={newKey} />
      <div class="actions">
        <Button kind="primary" onClick={markSaved}>
          {keys.fresh.saved}
        </Button>
        <Link class="button quiet" href="/docs">
          {keys.fresh.guide}
        </Link>
      </div>
    </section>
  );
};

/** Selects the key, for browsers without a clipboard API (a page without TLS). */
const select = ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }): void => currentTarget.select();

const TryIt = ({ newKey }: { readonly newKey: NewKey }) => {
  const { keys } = texts.value;
  if (!newKey.scopes.includes("convert")) {
    return <p class="muted">{keys.fresh.noScopes}</p>;
  }
  const lines = curlExample({ key: newKey.key, address: location.origin, comments: keys.curl });
  return (
    <div class="keys-try">
      <h3>{keys.fresh.tryIt}</h3>
      <p class="muted">{newKey.kind === "test" ? keys.fresh.tryItTestLead : keys.fresh.tryItLead}</p>
      <Code text={lines} label={keys.fresh.curlLabel} />
    </div>
  );
};
