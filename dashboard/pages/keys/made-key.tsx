import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { type MadeKey, markSaved } from "../../fresh-key.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Code, CopyButton } from "../../ui/copy.tsx";
import { Notice } from "../../ui/notice.tsx";
import { curlExample } from "./curl.ts";

/** Shows a key this once, with what to try it with. It stays, also when one goes elsewhere and comes back, until it is saved. */
export const MadeKeyCard = ({ made }: { readonly made: MadeKey }) => {
  const { keys } = texts.value;
  const heading = useRef<HTMLHeadingElement>(null);
  // Each key that is made is to be seen and heard.
  useEffect(() => {
    heading.current?.focus();
  }, [made.key]);
  return (
    <section class="card keys-made" aria-labelledby="keys-made">
      <h2 id="keys-made" ref={heading} tabIndex={-1}>
        {keys.made.title(made.name)}
      </h2>
      <Notice kind="warning">{keys.made.once}</Notice>
      <div class="keys-secret">
        <textarea
          class="keys-whole"
          rows={1}
          readOnly
          aria-label={keys.made.keyLabel}
          value={made.key}
          onFocus={select}
        />
        <CopyButton text={made.key} label={keys.made.copyKey} />
      </div>
      <TryIt made={made} />
      <div class="actions">
        <Button kind="primary" onClick={markSaved}>
          {keys.made.saved}
        </Button>
        <Link class="button quiet" href="/docs">
          {keys.made.guide}
        </Link>
      </div>
    </section>
  );
};

/** Where there is no clipboard (a page without TLS) the key is copied by hand. */
const select = ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }): void => currentTarget.select();

const NEEDED = ["upload", "convert", "download"] as const;

const TryIt = ({ made }: { readonly made: MadeKey }) => {
  const { keys } = texts.value;
  if (!NEEDED.every((scope) => made.scopes.includes(scope))) {
    return <p class="muted">{keys.made.noScopes}</p>;
  }
  const lines = curlExample({ key: made.key, address: location.origin, comments: keys.curl });
  return (
    <div class="keys-try">
      <h3>{keys.made.tryIt}</h3>
      <p class="muted">{made.kind === "test" ? keys.made.tryItTestLead : keys.made.tryItLead}</p>
      <Code text={lines} label={keys.made.curlLabel} />
    </div>
  );
};
