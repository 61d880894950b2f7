import { signal } from "@preact/signals";

const message = signal("");
const isShown = signal(false);

/** How long a toast is visible: long enough to read two lines. */
const TOAST_MS = 6_000;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Has screen readers announce the text after what they are reading. */
export const announce = (text: string): void => {
  message.value = text;
  isShown.value = false;
};

/** Also shows the text for a few seconds. For outcomes that the page does not show otherwise. */
export const toast = (text: string): void => {
  announce(text);
  isShown.value = true;
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    isShown.value = false;
  }, TOAST_MS);
};

export const LiveRegion = () => (
  <div class={isShown.value ? "toast" : "hidden"} role="status" aria-live="polite">
    {message.value}
  </div>
);
