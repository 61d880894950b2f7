import { signal } from "@preact/signals";

const message = signal("");

/** Has screen readers announce the text after what they are reading. */
export const announce = (text: string): void => {
  message.value = text;
};

export const LiveRegion = () => (
  <div class="hidden" role="status" aria-live="polite">
    {message.value}
  </div>
);
