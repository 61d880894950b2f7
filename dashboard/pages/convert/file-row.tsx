import { bytes } from "../../format.ts";
import { texts } from "../../text.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { asked } from "./dialogs.tsx";
import { RowActions } from "./row-actions.tsx";
import { RowNotes, RowStatus } from "./row-status.tsx";
import { isBusy, type Row } from "./rows.ts";
import { lookInto } from "./start.ts";
import { Thumb } from "./thumb.tsx";

/** One file of the list. It is drawn by its own signals alone. */
export const FileRow = ({ row }: { readonly row: Row }) => (
  <li class="convert-row">
    <Thumb row={row} />
    <div class="convert-name">
      <strong title={row.folder + row.name}>{row.name}</strong>
      <small class="muted">{factsOf(row)}</small>
    </div>
    <TargetChoice row={row} />
    <RowStatus row={row} />
    <RowActions row={row} />
    <RowNotes row={row} />
  </li>
);

/** @returns what is known of the file: its folder, size and format */
const factsOf = ({ source, folder, bytes: size, format, isLooking }: Row): string => {
  const { convert } = texts.value;
  const name = format.value?.format.name ?? (isLooking.value ? convert.looking : convert.unknownFormat);
  const facts = [
    ...(folder === "" ? [] : [folder.replace(/\/$/, "")]),
    ...(source.kind === "url" ? [convert.fromAddress] : []),
    ...(source.kind === "merge" ? [convert.files(source.rows.length)] : []),
    ...(size === undefined ? [] : [bytes(size)]),
    ...(source.kind === "merge" ? [] : [name]),
  ];
  return facts.join(" · ");
};

const TargetChoice = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  if (row.format.value === undefined) {
    return <Unknown row={row} />;
  }
  if (row.format.value.targets.length === 0) {
    return <p class="convert-target muted">{convert.nothingFromFormat}</p>;
  }
  const target = row.chosen.value?.format.name ?? row.target.value;
  const isMerge = row.source.kind === "merge";
  return (
    <div class="convert-target">
      {!isMerge && (
        <Button
          class="convert-to"
          aria-haspopup="dialog"
          aria-label={target === undefined ? convert.chooseTargetFor(row.name) : convert.becomes(row.name, target)}
          disabled={isBusy(row)}
          onClick={() => {
            asked.value = { about: "target", row };
          }}
        >
          <span aria-hidden="true">→</span> {target ?? convert.chooseTarget}
        </Button>
      )}
      {!isMerge && target !== undefined && hasOptions(row) && <OptionsButton row={row} />}
    </div>
  );
};

const hasOptions = ({ chosen }: Row): boolean =>
  Object.keys((chosen.value?.conversion.options.properties as object | undefined) ?? {}).length > 0;

const OptionsButton = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  const count = Object.keys(row.options.value).length;
  return (
    <Button
      kind="quiet"
      aria-haspopup="dialog"
      aria-label={convert.optionsOne(row.name)}
      title={convert.options}
      disabled={isBusy(row)}
      onClick={() => {
        asked.value = { about: "options", row };
      }}
    >
      <Icon name="settings" />
      {count > 0 && <small>{convert.optionsSet(count)}</small>}
    </Button>
  );
};

/** Neither the name nor, so far, the bytes tell the format: the service can look. */
const Unknown = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  const canLook =
    !row.isLooking.value && !isBusy(row) && row.upload.value === undefined && row.problem.value === undefined;
  return (
    <div class="convert-target">
      {canLook && (
        <Button title={convert.lookIntoHint} onClick={() => lookInto(row)}>
          {convert.lookInto}
        </Button>
      )}
    </div>
  );
};
