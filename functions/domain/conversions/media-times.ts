/** @returns the seconds of a number or of a clock time such as `1:02:03.5` */
export const secondsOf = (time: number | string | undefined): number | undefined =>
  typeof time === "string" ? time.split(":").reduce((sum, part) => 60 * sum + Number(part), 0) : time;
