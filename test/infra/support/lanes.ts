import { deployedLanes } from "../../../infra/settings/settings.ts";

/** The lanes of a deployment without settings: all except the one for web pages. */
export const usualLanes = deployedLanes({ images: "arm64", webPages: false });
