import { useState } from "preact/hooks";
import { texts } from "../text.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { announce } from "./live.tsx";

const SHOWN_MS = 2_000;

type Outcome = "copied" | "copyFailed";

/** Copies the text and confirms it. Without a clipboard (a page without TLS) it asks the user to select the text instead. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label?: string }) => {
  const { common } = texts.value;
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined);
  const copy = async (): Promise<void> => {
    const result = await copied(text);
    setOutcome(result);
    announce(common[result]);
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
    // No clipboard, or the user has not allowed it: the button shows that.
    return "copyFailed";
  }
};

/** A code block with a copy button. It can be scrolled by keyboard. */
export const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (axe: scrollable-region-focusable) */}
    <section class="code-text" tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
    <CopyButton text={text} />
  </div>
);
