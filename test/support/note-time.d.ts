export function processorSeconds(): number | null;
