import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { announce } from "../../../ui/live.tsx";
import { queue } from "../store.ts";
import { droppedFiles } from "./dropped.ts";
import { chosenFiles, FILES_MAX, type Found } from "./entries.ts";
import { UrlForm } from "./url-form.tsx";
import { webUrl } from "./web-url.ts";

/** Adds files: dropped anywhere on the page, pasted, chosen, photographed, or by URL. */
export const DropZone = ({ onNote }: { readonly onNote: (note: string) => void }) => {
  const { convert } = texts.value;
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const photo = useRef<HTMLInputElement>(null);
  const take = (found: Found): void => takeFiles(found, onNote);
  const isDragged = usePageDrop(take);
  usePaste(take);
  const isFirst = queue.rows.value.length === 0;
  return (
    <section class={isFirst ? "convert-input" : "convert-input convert-input-small"} aria-label={convert.choose}>
      <button type="button" class="convert-drop" onClick={() => files.current?.click()}>
        <Icon name="upload" />
        <strong>{convert.choose}</strong>
        <span class="convert-drop-hint">{isFirst ? convert.drop : convert.dropMore}</span>
      </button>
      <FileInput input={files} onFound={take} />
      <FileInput input={folder} onFound={take} webkitdirectory />
      <FileInput input={photo} onFound={take} accept="image/*" capture="environment" />
      <div class="convert-sources">
        <div class="actions">
          <Button class="convert-folder" onClick={() => folder.current?.click()}>
            <Icon name="folder" /> {convert.chooseFolder}
          </Button>
          <Button class="convert-photo" onClick={() => photo.current?.click()}>
            <Icon name="file" /> {convert.takePhoto}
          </Button>
        </div>
        <UrlForm />
      </div>
      {isFirst && <p class="hint convert-paste">{convert.pasteHint}</p>}
      {isDragged && (
        <div class="convert-overlay" aria-hidden="true">
          <Icon name="upload" />
          {convert.dropNow}
        </div>
      )}
    </section>
  );
};

const takeFiles = (found: Found, onNote: (note: string) => void): void => {
  const { convert } = texts.value;
  queue.addFiles(found);
  const notes = [
    ...(found.cut ? [convert.cut(FILES_MAX)] : []),
    ...(found.unreadable > 0 ? [convert.unreadable(found.unreadable)] : []),
    ...(found.files.length === 0 && !found.cut && found.unreadable === 0 ? [convert.noFiles] : []),
  ];
  onNote(notes.join(" "));
  announce(convert.added(found.files.length));
};

const capacity = (): number => Math.max(0, FILES_MAX - queue.rows.value.length);

interface FileInputProps {
  readonly input: { readonly current: HTMLInputElement | null };
  readonly onFound: (found: Found) => void;
  readonly webkitdirectory?: boolean;
  readonly accept?: string;
  readonly capture?: "environment";
}

/** The native file dialog, opened by our own button. Its value is cleared, so that the same file can be chosen again. */
const FileInput = ({ input, onFound, ...attributes }: FileInputProps) => (
  <input
    {...attributes}
    ref={input}
    type="file"
    multiple={attributes.capture === undefined}
    hidden
    onChange={({ currentTarget }) => {
      onFound(chosenFiles([...(currentTarget.files ?? [])], capacity()));
      currentTarget.value = "";
    }}
  />
);

/** Handles drops anywhere on the page. @returns whether something is being dragged over it */
const usePageDrop = (onFound: (found: Found) => void): boolean => {
  const [isDragged, setDragged] = useState(false);
  useEffect(() => {
    // While dragging, an element is entered before the previous one is left.
    let depth = 0;
    const set = (next: number): void => {
      depth = Math.max(0, next);
      setDragged(depth > 0);
    };
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const handlers = {
      dragenter: (event: DragEvent): void => {
        if (hasFiles(event)) {
          event.preventDefault();
          set(depth + 1);
        }
      },
      dragover: (event: DragEvent): void => {
        if (hasFiles(event)) {
          event.preventDefault();
        }
      },
      dragleave: (): void => set(depth - 1),
      drop: (event: DragEvent): void => {
        set(0);
        if (event.dataTransfer !== null && hasFiles(event)) {
          event.preventDefault();
          void droppedFiles(event.dataTransfer, capacity()).then(onFound);
        }
      },
    };
    const stop = new AbortController();
    for (const [name, handler] of Object.entries(handlers)) {
      addEventListener(name, handler as (event: Event) => void, { signal: stop.signal });
    }
    return () => stop.abort();
  }, []);
  return isDragged;
};

/** Handles pasted files and URLs, except URLs that are pasted into a field. */
const usePaste = (onFound: (found: Found) => void): void => {
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const data = event.clipboardData;
      const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      const url = webUrl(data?.getData("text/plain") ?? "");
      if (data !== null && data.files.length > 0) {
        event.preventDefault();
        onFound(chosenFiles([...data.files], capacity()));
      } else if (!isField && url !== undefined && capacity() > 0) {
        queue.addUrl(url);
        announce(texts.value.convert.added(1));
      }
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
};
