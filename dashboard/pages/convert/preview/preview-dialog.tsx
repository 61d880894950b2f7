import { useEffect, useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loading, Notice } from "../../../ui/notice.tsx";
import { useBlobUrl } from "./blob-url.ts";
import type { PreviewKind } from "./preview.ts";

export interface PreviewDialogProps {
  readonly name: string;
  readonly kind: PreviewKind;
  readonly blob: Blob;
  readonly onClose: () => void;
}

/** A preview of a file or a result, with the browser's own elements. */
export const PreviewDialog = ({ name, kind, blob, onClose }: PreviewDialogProps) => {
  const { convert } = texts.value;
  const [isBroken, setBroken] = useState(false);
  return (
    <Dialog title={name} onClose={onClose}>
      {isBroken ? (
        <Notice kind="warning">{convert.previewBroken}</Notice>
      ) : (
        <Content {...{ name, kind, blob }} onBroken={() => setBroken(true)} />
      )}
    </Dialog>
  );
};

const Content = ({ name, kind, blob, onBroken }: Omit<PreviewDialogProps, "onClose"> & { onBroken: () => void }) => {
  const url = useBlobUrl(blob);
  const label = texts.value.convert.previewOne(name);
  if (kind === "text") {
    return <TextPreview blob={blob} label={label} />;
  }
  if (url === undefined) {
    return <Loading />;
  }
  switch (kind) {
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: it is the user's own recording, and has no captions here
      return <audio class="convert-preview" src={url} controls aria-label={label} onError={onBroken} />;
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: it is the user's own recording, and has no captions here
      return <video class="convert-preview" src={url} controls playsInline aria-label={label} onError={onBroken} />;
    default:
      return <img class="convert-preview" src={url} alt={label} onError={onBroken} />;
  }
};

const CHARACTERS_MAX = 20_000;

const TextPreview = ({ blob, label }: { readonly blob: Blob; readonly label: string }) => {
  const [text, setText] = useState("");
  useEffect(() => {
    // A character has up to four bytes.
    void blob
      .slice(0, 4 * CHARACTERS_MAX)
      .text()
      .then((all) => setText(all.slice(0, CHARACTERS_MAX)));
  }, [blob]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section class="code-text convert-preview-text" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
};
