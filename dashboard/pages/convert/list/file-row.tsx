import { bytes } from "../../../format.ts";
import { texts } from "../../../text.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Badge } from "../../../ui/parts.tsx";
import { openDialog } from "../dialogs.tsx";
import { isBusy, type Row } from "../rows.ts";
import { detectFormat } from "../start.ts";
import { RowActions } from "./row-actions.tsx";
import { RowNotes } from "./row-notes.tsx";
import { RowStatus } from "./row-status.tsx";
import { Thumb } from "./thumb.tsx";

/** One file of the list. It is rendered only when its own signals change. */
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

/** @returns the file's folder, size and format */
const factsOf = ({ source, folder, bytes: size, format, isGuessing }: Row): string => {
  const { convert } = texts.value;
  const name = format.value?.format.name ?? (isGuessing.value ? convert.checkingFormat : convert.unknownFormat);
  const facts = [
    ...(folder === "" ? [] : [folder.replace(/\/$/, "")]),
    ...(source.kind === "url" ? [convert.fromUrl] : []),
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
          aria-label={target === undefined ? convert.chooseTargetFor(row.name) : convert.changeTarget(row.name, target)}
          disabled={isBusy(row)}
          onClick={() => {
            openDialog.value = { about: "target", row };
          }}
        >
          <span aria-hidden="true">→</span> {target ?? convert.chooseTarget}
        </Button>
      )}
      {row.chosen.value?.conversion.value?.fidelity === "content_only" && (
        <Badge>{texts.value.formats.fidelity.content_only}</Badge>
      )}
      {!isMerge && target !== undefined && hasOptions(row) && <OptionsButton row={row} />}
    </div>
  );
};

const hasOptions = ({ chosen }: Row): boolean =>
  Object.keys(chosen.value?.conversion.value?.options.properties ?? {}).length > 0;

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
        openDialog.value = { about: "options", row };
      }}
    >
      <Icon name="settings" />
      {count > 0 && <small>{convert.optionsSet(count)}</small>}
    </Button>
  );
};

/** The format is unknown: the service can detect it from the content. */
const Unknown = ({ row }: { readonly row: Row }) => {
  const { convert } = texts.value;
  const canDetect =
    !row.isGuessing.value && !isBusy(row) && row.upload.value === undefined && row.problem.value === undefined;
  return (
    <div class="convert-target">
      {canDetect && (
        <Button title={convert.detectFormatHint} onClick={() => detectFormat(row)}>
          {convert.detectFormat}
        </Button>
      )}
    </div>
  );
};
