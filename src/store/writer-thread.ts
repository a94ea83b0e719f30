// The writer thread of the embedded store: the engine's code, handed every change that it may be asked for.

import { changes } from './changes.ts';
import { serveOrders } from './engine/sqlite/sqlite-writer.ts';

serveOrders(changes);
