// The least that a Fastify service in TypeScript can be: what a start is held against.

import Fastify from 'fastify';

const app = Fastify();
app.get('/livez', async () => ({ status: 'alive' }));
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ baseUrl })}\n`);
