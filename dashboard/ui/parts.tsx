import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Small components that pages are built from. */

export const Badge = ({
  tone = "neutral",
  children,
}: {
  readonly tone?: "neutral" | "good" | "warning" | "bad" | "busy";
  readonly children: ComponentChildren;
}) => <span class={`badge ${tone}`}>{children}</span>;

/** A section with a heading. With an `id`, the heading can take the focus when the focused element is removed. */
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

/** The top of a page: its title, a sentence, and its actions. */
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

/** The empty state of a list. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => <div class="empty">{children}</div>;

/** A table. On narrow screens it scrolls; inside `stacked` each row becomes a card, labeled by the cells' `data-label`. */
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
            // The columns of a table never change their order.
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

/** A container that is a named tab stop only while its content overflows. */
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

/** Progress from 0 to 100; indeterminate without a value. */
export const Progress = ({ value, label }: { readonly value?: number | undefined; readonly label: string }) => (
  <progress max={100} aria-label={label} {...(value !== undefined && { value })} />
);

/** A list of names and values. */
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
