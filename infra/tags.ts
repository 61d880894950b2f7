/** Tags that identify resources, which have no fixed names. AWS can also list costs by them. */
export const tags = {
  /** Every resource: the setting `stackName`. */
  deployment: "anyform:deployment",
  /** Functions: `get-job`, `convert-file-fast`. */
  function: "anyform:function",
} as const;
