import { useEffect, useState } from "preact/hooks";
import { texts } from "./text.ts";
import { Button } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";
import { PageHead } from "./ui/parts.tsx";

const reload = (): void => location.reload();

/** A page whose code failed: what to do, and what to tell whoever is asked for help. */
export const Broken = ({ title, error }: { readonly title: string; readonly error: unknown }) => {
  const { shell } = texts.value;
  return (
    <>
      <PageHead title={title} />
      <Notice kind="bad">
        <p>{shell.broken}</p>
        <details>
          <summary>{shell.brokenDetail}</summary>
          <code lang="en">{error instanceof Error ? `${error.name}: ${error.message}` : String(error)}</code>
        </details>
        <Button onClick={reload}>{shell.reload}</Button>
      </Notice>
    </>
  );
};

/** A page whose code could not be loaded: after a new release the files of the old one are gone, and a reload brings the new one. */
export const PageGone = ({ title }: { readonly title: string }) => {
  const { shell } = texts.value;
  const [updated, setUpdated] = useState(false);
  useEffect(() => {
    // The file that this code came from is asked for: it is there unless a newer release has taken its place.
    fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).then(
      ({ ok }) => setUpdated(!ok),
      () => setUpdated(false),
    );
  }, []);
  return (
    <>
      <PageHead title={title} />
      <Notice kind={updated ? "info" : "bad"}>
        <p>{updated ? shell.updated : shell.pageFailed}</p>
        <Button onClick={reload}>{shell.reload}</Button>
      </Notice>
    </>
  );
};
