/** What a tool could not do; the message is for the model, so it says what would be right. */
export class ToolError extends Error {}
