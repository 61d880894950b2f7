import { texts } from "../../../text.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { useBlobUrl } from "../blob-url.ts";
import type { Row } from "../rows.ts";

/** A preview of a converted image. */
export const PreviewDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const result = row.result.value;
  const url = useBlobUrl(result?.blob.value);
  const name = result?.file.name ?? row.name;
  return (
    <Dialog title={name} onClose={onClose}>
      {url && <img class="convert-preview" src={url} alt={texts.value.convert.previewOne(name)} />}
    </Dialog>
  );
};
