import { signal } from "@preact/signals";
import { isMember } from "../../session.ts";
import { texts } from "../../text.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { OptionsDialog } from "./options-dialog.tsx";
import { PreviewDialog } from "./preview-dialog.tsx";
import { chooseTarget, isBusy, type Row } from "./rows.ts";
import { startRows } from "./start.ts";
import { queue } from "./store.ts";
import { TargetDialog } from "./target-dialog.tsx";
import { commonTargets, mergeTargets, type SourceFormat, type Target } from "./targets.ts";

/** What is asked in a dialog; there is one at a time, however many rows there are. */
type Asked =
  | { readonly about: "target"; readonly row: Row }
  | { readonly about: "targets" }
  | { readonly about: "merge" }
  | { readonly about: "merge-options"; readonly target: Target }
  | { readonly about: "options"; readonly row: Row }
  | { readonly about: "preview"; readonly row: Row }
  | { readonly about: "clear" };

export const asked = signal<Asked | undefined>(undefined);

const close = (): void => {
  asked.value = undefined;
};

/** @returns files whose format is known and with which nothing happens now */
export const restingRows = (): readonly Row[] =>
  queue.rows.value.filter((row) => row.source.kind !== "merge" && row.format.value !== undefined && !isBusy(row));

/** @returns those of them that have no result: it would go with another target */
export const openRows = (): readonly Row[] => restingRows().filter(({ step }) => step.value !== "done");

/** @returns the row itself, or the same file once more where it has a result */
const openRow = (row: Row): Row => (row.step.value === "done" ? queue.again(row) : row);

/** @returns the formats of the rows, each once */
export const formatsOf = (rows: readonly Row[]): readonly SourceFormat[] => [
  ...new Set(rows.flatMap(({ format }) => format.value ?? [])),
];

export const Dialogs = () => {
  switch (asked.value?.about) {
    case "target":
      return <RowTarget key={asked.value.row.id} row={asked.value.row} />;
    case "targets":
      return <AllTargets />;
    case "merge":
      return <MergeTarget />;
    case "merge-options":
      return <MergeOptions target={asked.value.target} />;
    case "options":
      return <RowOptions row={asked.value.row} />;
    case "preview":
      return <PreviewDialog row={asked.value.row} onClose={close} />;
    case "clear":
      return <AskToClear />;
    default:
      return null;
  }
};

const RowTarget = ({ row }: { readonly row: Row }) => {
  const source = row.format.value;
  const alike = openRows().filter((other) => other !== row && other.format.value?.format.id === source?.format.id);
  const choose = (target: Target, forAll: boolean): void => {
    for (const each of forAll ? [openRow(row), ...alike] : [openRow(row)]) {
      chooseTarget(each, target.format.id);
    }
    close();
  };
  return (
    <TargetDialog
      title={texts.value.convert.targetTitle(source?.format.name ?? row.name)}
      targets={source?.targets ?? []}
      family={source?.format.family ?? ""}
      chosen={row.target.value}
      alike={
        source && alike.length > 0 && row.source.kind !== "merge"
          ? {
              label: texts.value.convert.forAllOf(source.format.name, alike.length + 1),
              checked: alike.every(({ target }) => target.value === row.target.value),
            }
          : undefined
      }
      onChoose={choose}
      onClose={close}
    />
  );
};

const AllTargets = () => {
  const rows = openRows();
  const sources = formatsOf(rows);
  return (
    <TargetDialog
      title={texts.value.convert.targetTitleAll}
      targets={commonTargets(sources)}
      family={sources[0]?.format.family ?? ""}
      onChoose={({ format }) => {
        for (const row of rows) {
          chooseTarget(row, format.id);
        }
        close();
      }}
      onClose={close}
    />
  );
};

const MergeTarget = () => {
  const rows = restingRows();
  const sources = formatsOf(rows);
  const choose = (target: Target): void => {
    asked.value = { about: "merge-options", target };
  };
  return (
    <TargetDialog
      title={texts.value.convert.mergeTitle(rows.length)}
      hint={texts.value.convert.mergeHint}
      targets={mergeTargets(sources)}
      family={sources[0]?.format.family ?? ""}
      onChoose={choose}
      onClose={close}
    />
  );
};

const MergeOptions = ({ target }: { readonly target: Target }) => {
  const { convert } = texts.value;
  const rows = restingRows();
  return (
    <OptionsDialog
      title={convert.mergeTitle(rows.length)}
      schema={target.conversion.options}
      values={{}}
      action={convert.mergeName(rows.length, target.format.name)}
      onApply={(options) => {
        const name = convert.mergeName(rows.length, target.format.name);
        void startRows([queue.merge(rows, name, { target: target.format.id, options })]);
        close();
      }}
      onClose={close}
    />
  );
};

const RowOptions = ({ row }: { readonly row: Row }) => {
  const { options } = texts.value;
  const chosen = row.chosen.value;
  const names = [row.format.value?.format.name ?? "", chosen?.format.name ?? ""] as const;
  const alike = openRows().filter(
    (other) =>
      other !== row &&
      other.target.value === row.target.value &&
      other.format.value?.format.id === row.format.value?.format.id,
  );
  return (
    <OptionsDialog
      title={options.title(...names)}
      schema={chosen?.conversion.options}
      values={row.options.value}
      refused={row.problem.value?.errors ?? []}
      alike={alike.length > 0 && row.source.kind !== "merge" ? options.forAll(...names, alike.length + 1) : undefined}
      onApply={(values, forAll) => {
        const target = row.target.value ?? "";
        for (const each of forAll ? [openRow(row), ...alike] : [openRow(row)]) {
          chooseTarget(each, target);
          each.options.value = values;
        }
        close();
      }}
      onClose={close}
    />
  );
};

const AskToClear = () => {
  const { convert } = texts.value;
  return (
    <Confirm
      title={convert.startOver}
      action={convert.startOver}
      onConfirm={() => {
        queue.clear();
        close();
      }}
      onClose={close}
    >
      <p>{isMember.value ? convert.startOverAsk : convert.startOverAskVisitor}</p>
    </Confirm>
  );
};
