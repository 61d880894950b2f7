import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { texts } from "../text.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Empty, PageHead } from "../ui/parts.tsx";

const reload = (): void => location.reload();

/** Shown when a page's code fails: what to do, and details for support. */
export const PageCrash = ({ title, error }: { readonly title: string; readonly error: unknown }) => {
  const { shell } = texts.value;
  return (
    <>
      <PageHead title={title} />
      <Notice kind="bad">
        <p>{shell.crashed}</p>
        <details>
          <summary>{shell.errorDetails}</summary>
          <code lang="en">{error instanceof Error ? `${error.name}: ${error.message}` : String(error)}</code>
        </details>
        <Button onClick={reload}>{shell.reload}</Button>
      </Notice>
    </>
  );
};

/** Shown when a page's code cannot be loaded. After a new release the old files are gone, and a reload fetches the new ones. */
export const PageLoadError = ({ title }: { readonly title: string }) => {
  const { shell } = texts.value;
  const [updated, setUpdated] = useState(false);
  useEffect(() => {
    // The file of this code still exists unless a newer release has replaced it.
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

export const NotFoundMessage = () => {
  const { shell } = texts.value;
  return (
    <>
      <PageHead title={shell.notFound} />
      <Empty>
        <p>{shell.notFoundWhy}</p>
        <Link href="/" class="button primary">
          {shell.home}
        </Link>
      </Empty>
    </>
  );
};
