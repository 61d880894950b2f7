import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import "./tabs.css";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: ComponentChildren;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The ID of the tab that is shown first. @default the first one */
  readonly initial?: string | undefined;
  readonly onSelect?: (id: string) => void;
}

/** How many tabs a key moves. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** One of several panels at a time; arrow keys, Home and End switch between tabs (the ARIA tabs pattern). */
export const Tabs = ({ label, tabs, initial, onSelect }: TabsProps) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState(initial ?? tabs[0]?.id);
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selected),
  );
  const current = tabs[at];
  const select = (next: string): void => {
    setSelected(next);
    onSelect?.(next);
  };
  const move = (event: KeyboardEvent): void => {
    const next = nextOf(event.key, at, tabs.length);
    if (next === undefined) {
      return;
    }
    event.preventDefault();
    select(tabs[next]?.id ?? "");
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => select(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {current && (
        <div key={current.id} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current.id}`}>
          {current.content}
        </div>
      )}
    </div>
  );
};

const nextOf = (key: string, at: number, count: number): number | undefined => {
  if (key === "Home") {
    return 0;
  }
  if (key === "End") {
    return count - 1;
  }
  const step = STEPS[key];
  return step === undefined ? undefined : (at + step + count) % count;
};
