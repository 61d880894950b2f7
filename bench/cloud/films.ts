import { lanes } from "../../functions/domain/conversions/lanes.ts";
import type { Prices } from "./prices.ts";

/** When containers of Fargate Spot cost less than functions of Lambda for films: the setting `filmMegabytes`. */

const SECONDS_PER_HOUR = 3_600;
const HOURS_PER_MONTH = 30 * 24;

/** Of a container, in `infra/workers/films.ts`; Lambda gives a function with the same memory 4.6 processors. */
const CONTAINER_CPUS = 4;
const LAMBDA_CPUS = lanes.media.memoryMegabytes / 1_769;
const GIGABYTES = lanes.media.memoryMegabytes / 1_024;

/** Of a function beyond the free 512 MB, the maximum of Lambda. A container has 20 GB for nothing. */
const DISK_GIGABYTES = 9.5;

/** Seconds in which a container loads its image of 1.5 GB and starts Node: billed, and waited by the client. An assumption. */
const START_SECONDS = 60;

/** Interface endpoints, in one zone: the image registry has two, the logs one. */
const ENDPOINTS = 3;

export interface FilmCosts {
  /** USD for a second of a function, and of a container. */
  readonly lambdaSecond: number;
  readonly containerSecond: number;
  /** USD per month for the network of the containers, without a single film. */
  readonly standing: number;
  /** Seconds of a function from which a single conversion costs less in a container. */
  readonly secondsMin: number;
  /** Hours of functions per month from which the network pays. */
  readonly hoursMin: number;
}

/** @returns the costs, and from when containers pay */
export const filmCosts = (prices: Prices): FilmCosts => {
  const lambdaSecond = GIGABYTES * prices.lambdaGbSecond + DISK_GIGABYTES * prices.lambdaDiskGbSecond;
  const containerSecond =
    (prices.fargateSpotShare * (CONTAINER_CPUS * prices.fargateCpuHour + GIGABYTES * prices.fargateGbHour)) /
    SECONDS_PER_HOUR;
  // A container needs longer for the same work.
  const perLambdaSecond = (containerSecond * LAMBDA_CPUS) / CONTAINER_CPUS;
  const saved = lambdaSecond - perLambdaSecond;
  const standing = ENDPOINTS * HOURS_PER_MONTH * prices.endpointHour;
  return {
    lambdaSecond,
    containerSecond,
    standing,
    secondsMin: (START_SECONDS * containerSecond) / saved,
    hoursMin: standing / saved / SECONDS_PER_HOUR,
  };
};
