import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { AnyformError } from "../../../client/index.ts";
import { isMember } from "../../session.ts";
import { texts } from "../../text.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useRemote } from "../../ui/remote.ts";
import { CodeDialog } from "./code/code-dialog.tsx";
import { MergeOrder } from "./merge/merge-order.tsx";
import { OptionsDialog, type OptionsDialogProps } from "./options/options-dialog.tsx";
import { TargetDialog } from "./options/target-dialog.tsx";
import { commonTargets, mergeTargetOf, mergeTargets, type SourceFormat, type Target } from "./options/targets.ts";
import { PreviewDialog, type PreviewDialogProps } from "./preview/preview-dialog.tsx";
import { chooseTarget, fillOptions, isBusy, type Row } from "./rows.ts";
import { startRows } from "./start.ts";
import { client, problemOf, queue, remembered } from "./store.ts";

/** The open dialog. There is only one at a time, regardless of the number of rows. */
type OpenDialog =
  | { readonly about: "target"; readonly row: Row }
  | { readonly about: "targets" }
  | { readonly about: "merge" }
  | { readonly about: "merge-options"; readonly target: Target; readonly rows: readonly Row[] }
  | { readonly about: "options"; readonly row: Row }
  | { readonly about: "code"; readonly row: Row }
  | { readonly about: "preview"; readonly preview: Omit<PreviewDialogProps, "onClose"> }
  | { readonly about: "clear" };

export const openDialog = signal<OpenDialog | undefined>(undefined);

const close = (): void => {
  openDialog.value = undefined;
};

/** @returns the rows with a known format that are not in progress */
export const idleRows = (): readonly Row[] =>
  queue.rows.value.filter((row) => row.source.kind !== "merge" && row.format.value !== undefined && !isBusy(row));

/** @returns the idle rows without a result, which a new target would remove */
export const unconvertedRows = (): readonly Row[] => idleRows().filter(({ step }) => step.value !== "done");

/** @returns the row itself, or a duplicate if it has a result */
const editableRow = (row: Row): Row => (row.step.value === "done" ? queue.duplicate(row) : row);

const chooseWithOptions = (row: Row, target: string): void => {
  fillOptions(row, target, remembered);
  chooseTarget(row, target);
};

/** @returns the distinct formats of the rows */
export const formatsOf = (rows: readonly Row[]): readonly SourceFormat[] => [
  ...new Set(rows.flatMap(({ format }) => format.value ?? [])),
];

export const Dialogs = () => {
  switch (openDialog.value?.about) {
    case "target":
      return <RowTarget key={openDialog.value.row.id} row={openDialog.value.row} />;
    case "targets":
      return <AllTargets />;
    case "merge":
      return <MergeTarget />;
    case "merge-options":
      return <MergeOptions target={openDialog.value.target} chosen={openDialog.value.rows} />;
    case "options":
      return <RowOptions row={openDialog.value.row} />;
    case "preview":
      return <PreviewDialog {...openDialog.value.preview} onClose={close} />;
    case "code":
      return <CodeDialog row={openDialog.value.row} onClose={close} />;
    case "clear":
      return <ConfirmClear />;
    default:
      return null;
  }
};

const RowTarget = ({ row }: { readonly row: Row }) => {
  const source = row.format.value;
  const similar = unconvertedRows().filter(
    (other) => other !== row && other.format.value?.format.id === source?.format.id,
  );
  const choose = (target: Target, forAll: boolean): void => {
    for (const each of forAll ? [editableRow(row), ...similar] : [editableRow(row)]) {
      chooseWithOptions(each, target.format.id);
    }
    close();
  };
  return (
    <TargetDialog
      title={texts.value.convert.targetTitle(source?.format.name ?? row.name)}
      targets={source?.targets ?? []}
      usual={source?.usual}
      family={source?.format.family ?? ""}
      chosen={row.target.value}
      similar={
        source && similar.length > 0 && row.source.kind !== "merge"
          ? {
              label: texts.value.convert.forAllOf(source.format.name, similar.length + 1),
              checked: similar.every(({ target }) => target.value === row.target.value),
            }
          : undefined
      }
      onChoose={choose}
      onClose={close}
    />
  );
};

const AllTargets = () => {
  const rows = unconvertedRows();
  const sources = formatsOf(rows);
  return (
    <TargetDialog
      title={texts.value.convert.targetTitleAll}
      targets={commonTargets(sources)}
      family={sources[0]?.format.family ?? ""}
      onChoose={({ format }) => {
        for (const row of rows) {
          chooseWithOptions(row, format.id);
        }
        close();
      }}
      onClose={close}
    />
  );
};

/** Targets of the files that were in the list when it was opened: others can be pasted while it is open. */
const MergeTarget = () => {
  const [rows] = useState(idleRows);
  const sources = formatsOf(rows);
  const choose = (target: Target): void => {
    openDialog.value = { about: "merge-options", target, rows };
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

const readMerge = (source: string, target: string, mergeWith: readonly string[]) =>
  client.conversion(source, target, { mergeWith });

const MergeOptions = ({ target, chosen }: { readonly target: Target; readonly chosen: readonly Row[] }) => {
  const { convert } = texts.value;
  const [rows, setRows] = useState(chosen);
  const [merge] = useState(() => mergeTargetOf(target, formatsOf(rows), readMerge));
  return (
    <ConversionOptions
      target={merge}
      title={convert.mergeTitle(rows.length)}
      values={{}}
      action={convert.mergeAction}
      onApply={(options) => {
        const name = convert.mergeName(rows.length, target.format.name);
        void startRows([queue.merge(rows, name, { target: target.format.id, options })]);
        close();
      }}
    >
      <MergeOrder rows={rows} onOrder={setRows} />
    </ConversionOptions>
  );
};

const RowOptions = ({ row }: { readonly row: Row }) => {
  const { options } = texts.value;
  const chosen = row.chosen.value;
  const names = [row.format.value?.format.name ?? "", chosen?.format.name ?? ""] as const;
  const similar = unconvertedRows().filter(
    (other) =>
      other !== row &&
      other.target.value === row.target.value &&
      other.format.value?.format.id === row.format.value?.format.id,
  );
  return (
    <ConversionOptions
      target={chosen}
      title={options.title(...names)}
      values={row.options.value}
      rejected={row.problem.value?.errors ?? []}
      similar={
        similar.length > 0 && row.source.kind !== "merge" ? options.forAll(...names, similar.length + 1) : undefined
      }
      onApply={(values, forAll) => {
        const target = row.target.value ?? "";
        for (const each of forAll ? [editableRow(row), ...similar] : [editableRow(row)]) {
          chooseTarget(each, target);
          each.options.value = values;
        }
        remembered.keep(row.format.value?.format.id ?? "", target, values);
        close();
      }}
    >
      {isRemembered(row) && <p class="hint">{options.remembered}</p>}
    </ConversionOptions>
  );
};

const isRemembered = ({ format, target, options }: Row): boolean => {
  const kept = remembered.find(format.value?.format.id ?? "", target.value ?? "");
  return Object.keys(kept).length > 0 && JSON.stringify(kept) === JSON.stringify(options.value);
};

interface ConversionOptionsProps extends Omit<OptionsDialogProps, "onClose" | "schema"> {
  readonly target: Target | undefined;
}

/** The options of the conversion, which are loaded now unless they are known. */
const ConversionOptions = ({ target, ...props }: ConversionOptionsProps) => {
  const { error } = useRemote(async () => target?.load(), [target]);
  const conversion = target?.conversion.value;
  if (conversion !== undefined) {
    const presetsFor = isMember.value ? target?.format.id : undefined;
    return <OptionsDialog {...props} schema={conversion.options} presetsFor={presetsFor} onClose={close} />;
  }
  return (
    <Dialog title={props.title} onClose={close}>
      {error === undefined ? (
        <Loading />
      ) : (
        <ProblemNotice error={error instanceof AnyformError ? problemOf(error) : error} />
      )}
    </Dialog>
  );
};

const ConfirmClear = () => {
  const { convert } = texts.value;
  return (
    <Confirm
      title={convert.clearList}
      action={convert.clearList}
      onConfirm={async () => {
        queue.clear();
        close();
      }}
      onClose={close}
    >
      <p>{isMember.value ? convert.clearListAsk : convert.clearListAskVisitor}</p>
    </Confirm>
  );
};
