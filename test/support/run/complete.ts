/**
 * Whether this run is the complete set, as by `npm run test:all` and every night. `npm test` has a short run of each
 * long suite, in which everything happens once.
 */
export const IS_COMPLETE = process.env.ANYFORM_TESTS === "all";
