import { useState } from "preact/hooks";
import { texts } from "../text.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { announce } from "./live.tsx";

const SHOWN_MS = 2_000;

type Outcome = "copied" | "copyFailed";

/** Copies the text, and says so. Without a clipboard (a page without TLS) it says that the text is to be selected where it stands. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label?: string }) => {
  const { common } = texts.value;
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined);
  const copy = async (): Promise<void> => {
    const reached = await copied(text);
    setOutcome(reached);
    announce(common[reached]);
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <Button onClick={copy}>
      <Icon name={outcome === "copied" ? "check" : "copy"} /> {outcome ? common[outcome] : (label ?? common.copy)}
    </Button>
  );
};

const copied = async (text: string): Promise<Outcome> => {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    // There is no clipboard, or the reader has not allowed it: the button says so.
    return "copyFailed";
  }
};

/** Code to read and to copy. It scrolls by keyboard, too. */
export const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (axe: scrollable-region-focusable) */}
    <section class="code-text" tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
    <CopyButton text={text} />
  </div>
);
