// The health check of the image, which has neither a shell nor curl: whether the service in this container takes requests.
const { SOUNDINGS_MANAGEMENT_PORT, PORT } = process.env;
const port = SOUNDINGS_MANAGEMENT_PORT || PORT || '8080';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  if (!answer.ok) console.error(await answer.text());
  process.exit(answer.ok ? 0 : 1);
} catch (error) {
  console.error(String(error.cause ?? error));
  process.exit(1);
}
