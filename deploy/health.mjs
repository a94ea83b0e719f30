// The health check of the image, which has neither a shell nor curl: whether the service in this container takes requests.
const { SOUNDINGS_MANAGEMENT_PORT, PORT } = process.env;
const port = SOUNDINGS_MANAGEMENT_PORT || PORT || '8080';
let isAnswered = false;
// On a busy machine the timer is late with everything else: an answer that has arrived meanwhile is read first.
const tooLate = () => {
  if (isAnswered) return;
  console.error('There was no answer within 4 s.');
  process.exit(1);
};
setTimeout(() => setImmediate(tooLate), 4_000).unref();
try {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  isAnswered = true;
  if (!answer.ok) console.error(await answer.text());
  process.exit(answer.ok ? 0 : 1);
} catch (error) {
  console.error(String(error.cause ?? error));
  process.exit(1);
}
