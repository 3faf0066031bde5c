import { constants } from "node:os";
import { killGroups } from "../process/tree.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Interrupt {
  /** Aborts at the first signal. */
  signal: AbortSignal;
  /** 128 and the number of the signal; undefined when there was none. */
  exitCode: () => number | undefined;
  release: () => void;
}

/** The first signal asks for an orderly end, which `notice` tells; the second ends everything at once. */
export function watchInterrupts(notice: (text: string) => void): Interrupt {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (exitCode !== undefined) {
      killGroups();
      process.exit(exitCode);
    }
    exitCode = 128 + constants.signals[name];
    notice(`${name}: ending what runs and writing the report; once more to end at once\n`);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    release: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
