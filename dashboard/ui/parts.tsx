import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Small parts of pages. */

export const Badge = ({
  tone = "neutral",
  children,
}: {
  readonly tone?: "neutral" | "good" | "warning" | "bad" | "busy";
  readonly children: ComponentChildren;
}) => <span class={`badge ${tone}`}>{children}</span>;

/** A part of a page with a heading of its own, which takes the focus by its `id` when what had it is gone. */
export const Card = ({
  id,
  title,
  actions,
  children,
}: {
  readonly id?: string;
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section class="card">
    {(title || actions) && (
      <header>
        {title && <h2 {...(id !== undefined && { id, tabIndex: -1 })}>{title}</h2>}
        {actions}
      </header>
    )}
    {children}
  </section>
);

/** The head of a page: its title, a sentence, and what can be done. */
export const PageHead = ({
  title,
  lead,
  actions,
}: {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) => (
  <header class="page-head">
    <div>
      <h1>{title}</h1>
      {lead && <p class="lead">{lead}</p>}
    </div>
    {actions && <div class="actions">{actions}</div>}
  </header>
);

/** What stands where there is nothing yet. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => <div class="empty">{children}</div>;

/** A table. On a narrow screen it scrolls; inside `stacked` each row stands by itself, with the `data-label` of a cell as its heading. */
export const Table = ({
  caption,
  head,
  children,
}: {
  readonly caption: string;
  readonly head: readonly ComponentChildren[];
  readonly children: ComponentChildren;
}) => (
  <Scrolling label={caption}>
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {head.map((cell, index) => (
            // The columns of a table never change places.
            <th key={index} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scrolling>
);

/** What scrolls is reached by keyboard, and named; what does not scroll is no stop on the way. */
const Scrolling = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return;
    }
    const watch = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={box} class="table" {...(scrolls && { tabIndex: 0, role: "region", "aria-label": label })}>
      {children}
    </div>
  );
};

/** How far something is, 0 to 100; without a value it is under way. */
export const Progress = ({ value, label }: { readonly value?: number | undefined; readonly label: string }) => (
  <progress max={100} aria-label={label} {...(value !== undefined && { value })} />
);

/** What is known of one thing: names and values. */
export const Facts = ({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
