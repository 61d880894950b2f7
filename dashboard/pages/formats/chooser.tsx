import { texts } from "../../text.ts";
import { TextField } from "../../ui/field.tsx";
import { Empty } from "../../ui/parts.tsx";
import { FormatLink } from "./link.tsx";
import { byFamily, type Choice, exactFormat, type Format, searchFormats } from "./search.ts";

export interface ChooserProps {
  readonly formats: readonly Format[];
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly onChoose: (choice: Choice) => void;
}

/** A search field for the list of formats; Enter selects the exact match, otherwise the best one. */
export const Chooser = ({ formats, typed, onType, onChoose }: ChooserProps) => {
  const { formats: text } = texts.value;
  const found = searchFormats(formats, typed);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const format = exactFormat(formats, typed) ?? (typed.trim() === "" ? undefined : found[0]);
    if (format !== undefined) {
      onChoose({ format, direction: format.targets.length > 0 ? "from" : "to" });
    }
  };
  return (
    <>
      <form class="card" onSubmit={submit}>
        <TextField
          type="search"
          label={text.search}
          hint={text.searchHint}
          value={typed}
          onText={onType}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <p class="muted" role="status">
          {text.found(found.length)}
        </p>
      </form>
      {found.length === 0 ? (
        <Empty>
          <p>{text.nothing(typed.trim())}</p>
          <p>{text.nothingHint}</p>
        </Empty>
      ) : (
        byFamily(found).map((group) => <FamilyCard key={group.family} {...group} />)
      )}
    </>
  );
};

const FamilyCard = ({ family, formats }: { readonly family: string; readonly formats: readonly Format[] }) => (
  <section class="card formats-family">
    <h2>{texts.value.formats.families[family] ?? family}</h2>
    <ul class="formats-list">
      {formats.map((format) => (
        <li key={format.id}>
          <FormatLink format={format} direction={format.targets.length > 0 ? "from" : "to"} />
        </li>
      ))}
    </ul>
  </section>
);
