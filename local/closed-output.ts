/** Keeps the service running if the program that reads its output has ended, such as a log pipe. */

/** The part of a process that writes messages. */
interface Outputs {
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter;
}

/** Further messages are lost; without this, the first of them ends the process. Other write errors still do. */
export const outliveReaders = ({ stdout, stderr }: Outputs): void => {
  for (const output of [stdout, stderr]) {
    output.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") {
        throw error;
      }
    });
  }
};
