import { signal } from "@preact/signals";

const message = signal("");

/** Has screen readers say it, when they are done with what they say. */
export const announce = (text: string): void => {
  message.value = text;
};

export const LiveRegion = () => (
  <div class="hidden" role="status" aria-live="polite">
    {message.value}
  </div>
);
