import { signal } from "@preact/signals";

/** The topic in the address. Addresses of the former page, such as `#/Uploads/createUpload`, lead to the same operation. */
const topicInAddress = (): string => decodeURIComponent(location.hash.slice(1).split("/").at(-1) ?? "");

/** The ID of the topic in the address; empty for the first one. */
export const currentTopic = signal(topicInAddress());

/** Follows the address until the returned function is called. */
export const followAddress = (): (() => void) => {
  const update = (): void => {
    currentTopic.value = topicInAddress();
  };
  update();
  addEventListener("hashchange", update);
  return () => removeEventListener("hashchange", update);
};
