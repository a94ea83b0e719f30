// What a command is held against: a program that only reads the same lines, or only copies the same file.

import { createReadStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const [what, from, to] = process.argv.slice(2);
if (what === 'copy') await copyFile(from, to);
else for await (const line of createInterface({ input: createReadStream(from) })) JSON.parse(line);
