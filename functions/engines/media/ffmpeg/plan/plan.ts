import { formatOf } from "../../../../domain/formats/formats.ts";
import { filmOf } from "../source.ts";
import type { Plan, Wanted } from "../task.ts";
import { filmPlan } from "./film-plan.ts";
import { animationPlan, posterPlan, wavesPlan } from "./picture-plan.ts";
import { soundPlan } from "./sound-plan.ts";
import { textPlan } from "./text-plan.ts";

/** @returns the ffmpeg plan; it depends only on its arguments */
export const planOf = (wanted: Wanted): Plan => {
  const { source, to } = wanted;
  const { family } = formatOf(to);
  if (family === "audio") {
    return soundPlan(wanted);
  }
  if (family === "subtitle") {
    return textPlan(wanted);
  }
  if (["gif", "webp", "apng"].includes(to)) {
    return animationPlan(wanted);
  }
  if (family === "image") {
    return filmOf(source) === undefined ? wavesPlan(wanted) : posterPlan(wanted);
  }
  return filmPlan(wanted);
};
