/** The name under which the background task keeps how far the logs were followed; the scope is "source" and its id. */
export const webhookTask = 'webhooks';

/** The name under which the task that ends messages keeps how many it has deleted; the scope is the id of the webhook. */
export const deliveryEndTask = 'webhook-end';
