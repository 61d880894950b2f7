/** A backup or restore that the operator must change; the message says how. */
export class BackupError extends Error {}
