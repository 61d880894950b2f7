/** An error of a tool call. The message is for the model, so it says how to correct the call. */
export class ToolError extends Error {}
