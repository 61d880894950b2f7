import { Link } from "wouter-preact";
import { api, type Schemas } from "../../api.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/parts.tsx";
import { useRemote } from "../../ui/remote.ts";
import { ConversionRow } from "./conversion-row.tsx";
import { byFamily, type Choice, type Format } from "./search.ts";

export interface FormatDetailsProps extends Choice {
  readonly formats: readonly Format[];
  readonly onChoose: (choice: Choice | undefined) => void;
}

/** A format with the conversions from it, or to it. */
export const FormatDetails = ({ format, direction, formats, onChoose }: FormatDetailsProps) => {
  const filter = `${direction === "from" ? "source" : "target"}=${encodeURIComponent(format.id)}`;
  const list = useRemote(() => api.get<Schemas["FormatList"]>(`formats?${filter}&conversions=true`), [filter]);
  return (
    <>
      <About
        format={list.data?.formats.find(({ id }) => id === format.id) ?? format}
        direction={direction}
        onChoose={onChoose}
      />
      <Loaded of={list}>
        {({ conversions = [] }) => (
          <Conversions conversions={conversions} formats={formats} format={format} direction={direction} />
        )}
      </Loaded>
    </>
  );
};

const About = ({ format, direction, onChoose }: Omit<FormatDetailsProps, "formats">) => {
  const { formats: text } = texts.value;
  const directions = [
    ["from", text.convertTo],
    ["to", text.convertFrom],
  ] as const;
  return (
    <section class="card">
      <div class="formats-bar">
        <fieldset class="actions formats-direction">
          <legend class="hidden">{text.direction}</legend>
          {directions.map(([name, label]) => (
            <Button
              key={name}
              kind={name === direction ? "primary" : "plain"}
              aria-pressed={name === direction}
              onClick={() => onChoose({ format, direction: name })}
            >
              {label}
            </Button>
          ))}
        </fieldset>
        <div class="actions">
          <Link class="button" href="/formats">
            {text.all}
          </Link>
          <Link class="button" href="/">
            {text.convertNow}
          </Link>
        </div>
      </div>
      <dl class="formats-facts">
        <dt>{text.extensions}</dt>
        <dd>{format.extensions.map((extension) => `.${extension}`).join(" ")}</dd>
        {format.media_types !== undefined && (
          <>
            <dt>{text.mediaTypes}</dt>
            <dd>{format.media_types.join(", ")}</dd>
          </>
        )}
      </dl>
    </section>
  );
};

interface ConversionsProps extends Choice {
  readonly conversions: readonly Schemas["Conversion"][];
  readonly formats: readonly Format[];
}

const Conversions = ({ conversions, formats, format, direction }: ConversionsProps) => {
  const { formats: text } = texts.value;
  if (conversions.length === 0) {
    return <Notice kind="info">{(direction === "from" ? text.writeOnly : text.readOnly)(format.name)}</Notice>;
  }
  const conversionOf = new Map(conversions.map((row) => [direction === "from" ? row.target : row.source, row]));
  const others = formats.filter(({ id }) => conversionOf.has(id));
  return (
    <>
      <p class="muted">{text.count(conversions.length)}</p>
      {byFamily(others, format.family).map((group) => (
        <Card key={group.family} title={text.families[group.family] ?? group.family}>
          <ul class="formats-conversions">
            {group.formats.map((other) => (
              <ConversionRow key={other.id} other={other} conversion={conversionOf.get(other.id)} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
};
