/** The name under which the background task keeps how far the logs were followed; the scope is "source" and its id. */
export const webhookTask = 'webhooks';
