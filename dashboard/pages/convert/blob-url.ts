import { useEffect, useState } from "preact/hooks";

/** @returns an address of the bytes, as long as the component is drawn; undefined where there are none */
export const useBlobUrl = (blob: Blob | undefined): string | undefined => {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (blob === undefined) {
      setUrl(undefined);
      return;
    }
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
};
