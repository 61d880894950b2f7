import { useId, useState } from "preact/hooks";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CheckField, TextField } from "../../../ui/field.tsx";
import { groupTargets, type Target } from "./targets.ts";

export interface TargetDialogProps {
  readonly title: string;
  readonly hint?: string;
  readonly targets: readonly Target[];
  /** The targets that come first. @default none */
  readonly usual?: readonly Target[] | undefined;
  /** The source's family, which comes first. */
  readonly family: string;
  readonly chosen?: string | undefined;
  /** A checkbox that selects the target for similar rows as well. */
  readonly similar?: { readonly label: string; readonly checked: boolean } | undefined;
  readonly onChoose: (target: Target, forAll: boolean) => void;
  readonly onClose: () => void;
}

/** The target formats of a file: the usual ones, and on request or by search all others by family. Enter selects the first. */
export const TargetDialog = ({
  title,
  hint,
  targets,
  usual = [],
  family,
  chosen,
  similar,
  onChoose,
  onClose,
}: TargetDialogProps) => {
  const { convert, formats } = texts.value;
  const [query, setQuery] = useState("");
  const [forAll, setForAll] = useState(similar?.checked ?? false);
  const familyName = (name: string): string =>
    name === "usual" ? convert.usualTargets : (formats.families[name] ?? name);
  const [showsAll, setShowsAll] = useState(usual.length === 0);
  const isShort = !showsAll && query === "";
  const listed = isShort ? targets.filter((target) => usual.includes(target) || target.format.id === chosen) : targets;
  const groups = groupTargets(listed, { query, family, familyName, usual });
  const first = groups[0]?.targets[0];
  const choose = (target: Target): void => onChoose(target, forAll);
  return (
    <Dialog title={title} onClose={onClose}>
      {hint && <p class="muted">{hint}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (first !== undefined) {
            choose(first);
          }
        }}
      >
        <TextField
          type="search"
          label={convert.search}
          hint={convert.searchHint}
          value={query}
          onText={setQuery}
          autocomplete="off"
          autoFocus
        />
      </form>
      {similar && <CheckField label={similar.label} checked={forAll} onCheck={setForAll} />}
      {first === undefined && <p role="status">{convert.nothingFound(query)}</p>}
      {groups.map((group) => (
        <Group key={group.family} title={familyName(group.family)} {...group} chosen={chosen} onChoose={choose} />
      ))}
      {isShort && targets.length > listed.length && (
        <p>
          <Button onClick={() => setShowsAll(true)}>{convert.showAllTargets(targets.length)}</Button>
        </p>
      )}
    </Dialog>
  );
};

const Group = ({
  title,
  targets,
  chosen,
  onChoose,
}: {
  readonly title: string;
  readonly targets: readonly Target[];
  readonly chosen: string | undefined;
  readonly onChoose: (target: Target) => void;
}) => {
  const id = useId();
  return (
    <section aria-labelledby={id} class="convert-family">
      <h3 id={id}>{title}</h3>
      <ul class="convert-targets">
        {targets.map((target) => (
          <li key={target.format.id}>
            <button
              type="button"
              class="convert-choice"
              aria-pressed={target.format.id === chosen}
              onClick={() => onChoose(target)}
            >
              <strong>{target.format.name}</strong>
              <small>.{target.format.extensions[0]}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
