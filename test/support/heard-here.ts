// What a command within a process of tests does beside its terminal: its lines of log are heard as those on the standard error
// of a process would be, and what it says to PostgreSQL is noted (record-statements.js). What the tests themselves write
// and ask meanwhile is not taken for it.

import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import pg from 'pg';
import { noteStatements } from './record-statements.js';

type OnLog = (text: string) => void;

const withinCommand = new AsyncLocalStorage<OnLog>();
let isListening = false;

export function heardHere<T>(onLog: OnLog, run: () => Promise<T>): Promise<T> {
  if (!isListening) listen();
  isListening = true;
  return withinCommand.run(onLog, run);
}

function listen(): void {
  const folder = process.env.TEST_STATEMENTS_FOLDER;
  if (folder !== undefined)
    noteStatements(pg.Connection, folder, () => withinCommand.getStore() !== undefined);
  // The log writes straight to the file that standard error is.
  const standardError = 2;
  const { writeSync } = fs;
  fs.writeSync = ((file: number, text: string | NodeJS.ArrayBufferView, ...more: never[]): number => {
    const onLog = withinCommand.getStore();
    if (file !== standardError || typeof text !== 'string' || onLog === undefined)
      return writeSync(file, text as string, ...more);
    onLog(text);
    return Buffer.byteLength(text);
  }) as typeof fs.writeSync;
}
