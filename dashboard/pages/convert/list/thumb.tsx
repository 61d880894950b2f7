import { useState } from "preact/hooks";
import { familyIcon, Icon } from "../../../ui/icon.tsx";
import { useBlobUrl } from "../preview/blob-url.ts";
import { mayShow } from "../preview/preview.ts";
import type { Row } from "../rows.ts";

/** A thumbnail, if the browser can display it: of the result once it is fetched, otherwise of the source. */
export const Thumb = ({ row }: { readonly row: Row }) => {
  const picture = pictureOf(row);
  const url = useBlobUrl(picture);
  const [broken, setBroken] = useState<Blob | undefined>(undefined);
  return (
    <div class="convert-thumb" aria-hidden="true">
      {url === undefined || picture === broken ? (
        <Icon name={familyIcon(row.format.value?.format.family)} />
      ) : (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          width={48}
          height={48}
          onError={() => setBroken(picture)}
        />
      )}
    </div>
  );
};

const pictureOf = ({ source, result, thumbnail }: Row): Blob | undefined => {
  const file = source.kind === "file" ? source.file : undefined;
  return [result.value?.blob.value, thumbnail.value, file].find((blob) => blob && mayShow(blob));
};
