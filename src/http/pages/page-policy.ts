// What a page of a survey may do in a browser. Scripts and styles come from here alone; the rules of the one survey stand in the
// page, and the policy names them by their hash (D-433). Nothing is `unsafe`,
// and no text becomes code but through pages/trusted.ts (D-824).

import { hash } from 'node:crypto';

export function pagePolicy(css: string, frameAncestors: string): string {
  const style = css === '' ? '' : ` 'sha256-${hash('sha256', css, 'base64')}'`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${style}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    frameAncestors,
    "require-trusted-types-for 'script'",
    'trusted-types soundings-code',
  ].join('; ');
}
