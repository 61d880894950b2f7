import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../../text.ts";
import { TextField } from "../../ui/field.tsx";
import { announce } from "../../ui/live.tsx";
import { Loading } from "../../ui/notice.tsx";
import { found, type Topic } from "./topics.ts";

export interface NavigationProps {
  readonly topics: readonly Topic[];
  readonly current: string | undefined;
  /** Whether the operations are loaded. */
  readonly isComplete: boolean;
}

/** The topics by group, or those that the search finds. On narrow screens a button opens them. */
export const Navigation = ({ topics, current, isComplete }: NavigationProps) => {
  const { reference } = texts.value;
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useSlash(box);
  useEffect(() => setOpen(false), [current]);
  useEffect(() => showCurrent(box.current), [current, isComplete]);
  const matches = search.trim() === "" ? undefined : found(topics, search);
  const type = (text: string): void => {
    setSearch(text);
    if (text.trim() !== "") {
      announce(reference.search.count(found(topics, text).length));
    }
  };
  const openFirst = (event: KeyboardEvent): void => {
    const first = matches?.[0];
    if (event.key === "Enter" && first !== undefined) {
      location.hash = first.id;
    }
  };
  return (
    <nav class="reference-nav" aria-label={reference.contents} ref={box}>
      <TextField
        type="search"
        label={reference.search.label}
        value={search}
        onText={type}
        onKeyDown={openFirst}
        autocomplete="off"
        spellcheck={false}
      />
      <button
        type="button"
        class="button reference-toggle"
        aria-expanded={open}
        aria-controls="reference-topics"
        onClick={() => setOpen(!open)}
      >
        {reference.contents}
      </button>
      <div id="reference-topics" class={open || matches ? "open" : undefined}>
        {matches === undefined ? (
          <Groups topics={topics} current={current} />
        ) : (
          <TopicLinks topics={matches} current={current} />
        )}
        {matches?.length === 0 && <p class="muted">{reference.search.count(0)}</p>}
        {!isComplete && <Loading />}
      </div>
    </nav>
  );
};

/** A link can open an operation far down in the list. Scrolls only the list, which has its own scroll bar, not the page. */
const showCurrent = (nav: HTMLElement | null): void => {
  const link = nav?.querySelector("[aria-current]");
  if (nav && link) {
    const top = link.getBoundingClientRect().top - nav.getBoundingClientRect().top;
    if (top < 0 || top > nav.clientHeight - link.clientHeight) {
      nav.scrollTop += top - nav.clientHeight / 2;
    }
  }
};

/** The slash key moves the focus to the search, except while the reader types. */
const useSlash = (box: { readonly current: HTMLElement | null }): void =>
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        box.current?.querySelector("input")?.focus();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

type ListProps = Pick<NavigationProps, "current" | "topics">;

const Groups = ({ topics, current }: ListProps) => {
  const { groups } = texts.value.reference;
  return [...Map.groupBy(topics, ({ group }) => group)].map(([group, own]) =>
    group === groups.dashboard ? (
      <details key={group} open={own.some(({ id }) => id === current)}>
        <summary>{group}</summary>
        <TopicLinks topics={own} current={current} />
      </details>
    ) : (
      <section key={group}>
        <h2>{group}</h2>
        <TopicLinks topics={own} current={current} />
      </section>
    ),
  );
};

const TopicLinks = ({ topics, current }: ListProps) => (
  <ul>
    {topics.map(({ id, title, content }) => (
      <li key={id}>
        <a
          href={`#${id}`}
          aria-current={id === current ? "page" : undefined}
          lang={content.type === "quickStart" ? undefined : "en"}
        >
          {content.type === "operation" && <Method of={content.operation.method} />}
          <span>{title}</span>
        </a>
      </li>
    ))}
  </ul>
);

/** The method of an operation. */
export const Method = ({ of: method }: { readonly of: string }) => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
);
