import { useState } from "preact/hooks";
import { Icon } from "../../../ui/icon.tsx";
import { useBlobUrl } from "../blob-url.ts";
import { hasPreview } from "../results.ts";
import type { Row } from "../rows.ts";

/** A thumbnail, if the browser can display it: of the result once it is fetched, otherwise of the source. */
export const Thumb = ({ row }: { readonly row: Row }) => {
  const picture = pictureOf(row);
  const url = useBlobUrl(picture);
  const [broken, setBroken] = useState<Blob | undefined>(undefined);
  return (
    <div class="convert-thumb" aria-hidden="true">
      {url === undefined || picture === broken ? (
        <FamilyIcon family={row.format.value?.format.family} />
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

const pictureOf = ({ source, result }: Row): Blob | undefined => {
  const fetched = result.value?.blob.value;
  if (fetched !== undefined && hasPreview(fetched.type, fetched.size)) {
    return fetched;
  }
  return source.kind === "file" && hasPreview(source.file.type, source.file.size) ? source.file : undefined;
};

/** Characters as icons; the format's name is next to them anyway. */
const letters: Readonly<Record<string, string>> = {
  archive: "ZIP",
  audio: "♪",
  data: "{ }",
  document: "¶",
  ebook: "¶",
  font: "Aa",
  geo: "⌖",
  mail: "@",
  model: "◇",
  presentation: "▭",
  spreadsheet: "▦",
  subtitle: "cc",
  vector: "△",
  video: "▷",
};

const FamilyIcon = ({ family }: { readonly family: string | undefined }) => {
  const letter = letters[family ?? ""];
  return letter === undefined ? <Icon name="file" /> : <span>{letter}</span>;
};
