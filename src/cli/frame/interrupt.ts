// Work that must tidy up behind itself when somebody interrupts it, between two of its steps.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Interrupt {
  isSet(): boolean;
  forget(): void;
}

/** From here on the first signal is remembered instead of ending the process; a second one ends it. */
export function onInterrupt(): Interrupt {
  let isSet = false;
  const onSignal = (): void => {
    if (isSet) process.exit(130);
    isSet = true;
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    isSet: () => isSet,
    forget: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
