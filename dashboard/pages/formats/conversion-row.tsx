import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Schemas } from "../../api.ts";
import { bytes, number } from "../../format.ts";
import { texts } from "../../text.ts";
import { Badge, Table } from "../../ui/parts.tsx";
import { type OptionRow, optionRows } from "./option-rows.ts";
import type { Format } from "./search.ts";

type Conversion = Schemas["Conversion"];

const TONES = { lossless: "good", lossy: "warning", content_only: "neutral" } as const;

export interface ConversionRowProps {
  /** The other format of the conversion. */
  readonly other: Format;
  readonly conversion: Conversion | undefined;
}

/** A conversion in one line; expanded, with its steps, what is lost, and its options. */
export const ConversionRow = ({ other, conversion }: ConversionRowProps) => {
  const { formats: text } = texts.value;
  const [isOpen, setOpen] = useState(false);
  if (conversion === undefined) {
    return null;
  }
  const engines = conversion.steps.map(({ engine }) => engine);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <strong>{other.extensions[0] ?? other.id}</strong>
          <span>{other.name}</span>
          <span class="muted formats-engines">{engines.join(" → ")}</span>
          <Badge tone={TONES[conversion.fidelity]}>{text.fidelity[conversion.fidelity]}</Badge>
        </summary>
        {isOpen && <Details conversion={conversion} />}
      </details>
    </li>
  );
};

const Details = ({ conversion }: { readonly conversion: Conversion }) => {
  const { formats: text } = texts.value;
  const options = optionRows(conversion.options);
  return (
    <div class="formats-details">
      <p>{text.fidelityHint[conversion.fidelity]}</p>
      <dl class="formats-facts">
        <dt>{text.steps}</dt>
        <dd>
          <ol>
            {conversion.steps.map(({ engine, from, to }) => (
              <li key={`${from}-${to}`}>{text.step(engine, from, to)}</li>
            ))}
          </ol>
        </dd>
        {conversion.drops.length > 0 && (
          <>
            <dt>{text.lost}</dt>
            <dd>{conversion.drops.map((trait) => text.traits[trait] ?? trait).join(", ")}</dd>
          </>
        )}
      </dl>
      <p class="muted">
        {text.bytesMax(bytes(conversion.max_bytes))} {conversion.merges && text.merges}
      </p>
      {options.length === 0 ? <p class="muted">{text.noOptions}</p> : <Options rows={options} />}
    </div>
  );
};

const Options = ({ rows }: { readonly rows: readonly OptionRow[] }) => {
  const { formats: text } = texts.value;
  return (
    <Table caption={text.options} head={[text.option, text.allowed, text.meaning]}>
      {rows.map((row) => (
        <tr key={row.name}>
          <th scope="row">
            <code>{row.name}</code>
          </th>
          <td>
            {allowed(row)}
            {row.initial !== undefined && <div class="muted">{texts.value.options.defaultOf(row.initial)}</div>}
          </td>
          <td lang="en">{withCode(row.description)}</td>
        </tr>
      ))}
    </Table>
  );
};

/** @returns the text, with code between backticks as elements */
const withCode = (text: string): ComponentChildren =>
  text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));

/** @returns the allowed values of an option as text */
const allowed = ({ kind, words, min, max }: OptionRow): string => {
  const { formats: text } = texts.value;
  if (words.length > 0) {
    return words.join(", ");
  }
  const range = rangeOf(min, max);
  if (range === undefined) {
    return text.kinds[kind];
  }
  return kind === "text" ? text.or(range, text.kinds.text) : range;
};

const rangeOf = (min: number | undefined, max: number | undefined): string | undefined => {
  const { formats: text } = texts.value;
  if (min !== undefined && max !== undefined) {
    return text.range(number(min), number(max));
  }
  if (min !== undefined) {
    return text.atLeast(number(min));
  }
  return max === undefined ? undefined : text.atMost(number(max));
};
