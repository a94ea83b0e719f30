// Faults that somebody could write, each with the test files that must fail when it is there: npm run test:planted puts them in,
// one after the other (planted.ts). The name says which promise is broken. Most of them can be put into release 0.2.0 as well.

export interface PlantedFault {
  /** The promise that is broken. */
  readonly name: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly from: string;
  readonly to: string;
  /** Each of them must have a test that fails. */
  readonly tests: readonly string[];
  /** Pages of the console that are looked at; all of them where it is left out (console-looks.ts). */
  readonly pages?: string;
}

export const plantedFaults: readonly PlantedFault[] = [
  // Ingestion
  {
    name: 'a response is acknowledged before it is stored',
    file: 'src/store/feedback/take-response.ts',
    from: 'const outcome = await appender.add(item);',
    to: "const outcome = await Promise.race([appender.add(item), 'kept' as const]);",
    tests: ['test/http/feedback/ingestion.test.ts'],
  },
  {
    name: 'a conflict is answered with the status of a bad request',
    file: 'src/http/server/errors.ts',
    from: 'conflict: 409,',
    to: 'conflict: 400,',
    tests: ['test/http/feedback/ingestion.test.ts'],
  },
  {
    name: 'a body is taken that has one byte more than the limit',
    file: 'src/http/feedback/ingestion.ts',
    from: '{ bodyLimitBytes: context.config.ingestionBodyLimitBytes }',
    to: '{ bodyLimitBytes: context.config.ingestionBodyLimitBytes + 1 }',
    tests: ['test/http/feedback/ingestion-errors.test.ts'],
  },
  // Judging and scoring
  {
    name: 'a score does not heed the weights of its questions',
    file: 'src/domain/feedback/score.ts',
    from: 'sum += weight * value;\n    weights += weight;',
    to: 'sum += value;\n    weights += 1;',
    tests: ['src/domain/feedback/score.test.ts'],
  },
  {
    name: 'scores are cut off instead of rounded before they are added up',
    file: 'src/domain/feedback/score.ts',
    from: 'return Math.round(score * 1e6);',
    to: 'return Math.floor(score * 1e6);',
    tests: ['src/domain/feedback/score.test.ts'],
  },
  {
    name: 'a sum leaves out the responses behind the last full block',
    file: 'src/store/feedback/log-reader.ts',
    from: 'for (const row of open) addScores(row, latents, (id, micros) => addTo(sums, id, micros));',
    to: '',
    tests: ['test/http/feedback/measure-data.test.ts'],
  },
  // Pages of data
  {
    name: 'a page of data is one row short',
    file: 'src/store/feedback/log-reader.ts',
    from: 'const count = Math.max(0, Math.min(take, facts.total - skip));',
    to: 'const count = Math.max(0, Math.min(take - 1, facts.total - skip));',
    tests: ['test/http/feedback/measure-data.test.ts'],
  },
  {
    name: 'a range leaves out its last day',
    file: 'src/domain/dates.ts',
    from: 'return { firstDay: firstDay ?? 0, lastDay: lastDay ?? 0 };',
    to: 'return { firstDay: firstDay ?? 0, lastDay: (lastDay ?? 0) - 1 };',
    tests: ['test/http/feedback/feedback-dates.test.ts'],
  },
  // Change feed, digest, export
  {
    name: 'the change feed shows a response twice',
    file: 'src/store/feedback/change-reader.ts',
    from: "entries.findLast(({ kind }) => kind === 'response')",
    to: "entries.find(({ kind }) => kind === 'response')",
    tests: ['test/http/feedback/changes.test.ts'],
  },
  {
    name: 'the digest of a day is that of its last response',
    file: 'src/domain/feedback/digest.ts',
    from: 'bytes.subarray(0, length + digestBytes)',
    to: 'bytes.subarray(length, length + digestBytes)',
    tests: ['src/domain/feedback/digest.test.ts'],
  },
  {
    name: 'an export has no column for external parameters',
    file: 'src/domain/feedback/table.ts',
    from: "for (const { id } of parameters.external) this.#add('EPP', id, 'text');",
    to: "for (const { id } of parameters.external) this.#add('CPP', id, 'text');",
    tests: ['src/domain/feedback/table.test.ts'],
  },
  {
    name: 'a cell of a file for people may be a formula',
    file: 'src/http/console/people/audit-routes.ts',
    from: 'stringify(lines, { escape_formulas: true })',
    to: 'stringify(lines, { escape_formulas: false })',
    tests: ['test/http/console/people.test.ts'],
  },
  // Insight
  {
    name: 'a cell that is withheld can be worked out from the others',
    file: 'src/domain/insight/withheld-cells.ts',
    from: 'while (sum > 0 && sum < minimum) {',
    to: 'while (sum < 0) {',
    tests: ['src/domain/insight/withheld-cells.test.ts'],
  },
  {
    name: 'a trend puts the last day of a week into the next',
    file: 'src/domain/insight/trend.ts',
    from: 'if (day > around.lastDay || open.size === 0) {',
    to: 'if (day >= around.lastDay || open.size === 0) {',
    tests: ['test/http/insight/views.test.ts'],
  },
  {
    name: 'a search of comments skips one at the end of each stretch',
    file: 'src/store/insight/comment-search.ts',
    from: 'place = { seq: seqs.at(-1)! - 1, question: -1 };',
    to: 'place = { seq: seqs.at(-1)! - 2, question: -1 };',
    tests: ['test/http/insight/comments.test.ts'],
  },
  // Accounts apart
  {
    name: 'the list of measures has those of other accounts',
    file: 'src/store/feedback/catalogue.ts',
    from: "(accountId)} and kind = 'measure'\n    order by source_key",
    to: "(accountId)} or kind = 'measure'\n    order by source_key",
    tests: ['test/http/feedback/feedback-isolation.test.ts'],
  },
  {
    name: 'the groups of another account are found',
    file: 'src/store/provisioning/groups-search.ts',
    from: 'const own = sql`user_group.account_id = ',
    to: 'const own = sql`user_group.account_id >= ',
    tests: ['test/http/console/people.test.ts'],
  },
  {
    name: 'the webhook of another account can be changed',
    file: 'src/http/operations/webhook-routes.ts',
    from: 'if (webhook !== null && webhook.accountId === accountOf(request)) return webhook;',
    to: 'if (webhook !== null) return webhook;',
    tests: ['test/http/operations/webhooks.test.ts'],
  },
  {
    name: 'the audit log shows entries of every account',
    file: 'src/store/engine/audit-log.ts',
    from: 'if (accountId !== undefined) conditions.push',
    to: 'if (accountId === null) conditions.push',
    tests: ['test/store/engine/audit.test.ts'],
  },
  // Tokens
  {
    name: 'an access token is good after its end',
    file: 'src/acts/access/access-token.ts',
    from: 'const expiresAtMs = exp * 1000 + toleranceMs;',
    to: 'const expiresAtMs = exp * 2000 + toleranceMs;',
    tests: ['test/http/access/token-attacks.test.ts'],
  },
  {
    name: 'a token of a narrow scope opens all that its client may do',
    file: 'src/domain/access/account.ts',
    from: ': client.grants.filter((grant) => tokenScopes.includes(grant));',
    to: ': client.grants;',
    tests: ['src/domain/access/account.test.ts'],
  },
  {
    name: 'a revoked provisioning token goes on',
    file: 'src/http/access/provisioning-token.ts',
    from: 'return token === null || token.revokedAtMs !== null ? null : token;',
    to: 'return token;',
    tests: ['test/http/access/provisioning-token.test.ts'],
  },
  // Roles, sessions, passwords, passkeys
  {
    name: 'an editor reads the whole audit log',
    file: 'src/domain/access/role.ts',
    from: "editor: ['see scores', 'see responses', 'edit surveys', 'see own audit'],",
    to: "editor: ['see scores', 'see responses', 'edit surveys', 'see audit'],",
    tests: ['test/http/console/audit.test.ts'],
  },
  {
    name: 'somebody who manages users may make an admin',
    file: 'src/domain/access/role.ts',
    from: "= ['viewer', 'analyst', 'editor', 'identity'];",
    to: "= ['viewer', 'analyst', 'editor', 'identity', 'admin'];",
    tests: ['test/http/console/roles.test.ts'],
  },
  {
    name: 'a sign-in of yesterday is fresh enough for secrets',
    file: 'src/domain/access/visitor.ts',
    from: 'freshForMs = 15 * 60_000;',
    to: 'freshForMs = 15 * 3_600_000;',
    tests: ['test/http/console/resources.test.ts'],
  },
  {
    name: 'scripts can read the cookie of a session',
    file: 'src/http/console/sign-in/session-cookie.ts',
    from: 'HttpOnly; SameSite=Lax',
    to: 'SameSite=Lax',
    tests: ['test/http/console/session-attacks.test.ts'],
  },
  {
    name: 'a short password is taken',
    file: 'src/domain/access/password-rules.ts',
    from: 'passwordLengthMin = 15;',
    to: 'passwordLengthMin = 8;',
    tests: ['src/domain/access/password-rules.test.ts'],
  },
  {
    name: 'the answer of a passkey signs in a second time',
    file: 'src/http/console/sign-in/passkey-challenges.ts',
    from: 'this.#used.set(made.challenge, true);\n    return made;',
    to: 'return made;',
    tests: ['test/http/console/passkeys.test.ts'],
  },
  // Provisioning
  {
    name: 'a filter by "ge" leaves out what is equal',
    file: 'src/scim/evaluate.ts',
    from: 'return order >= 0;',
    to: 'return order > 0;',
    tests: ['src/scim/evaluate.test.ts'],
  },
  {
    name: 'a patch leaves two primary elements',
    file: 'src/scim/patch.ts',
    from: 'element !== set[0]) element.primary = false;',
    to: 'element !== set[0]) element.primary = true;',
    tests: ['test/scim/patch.test.ts'],
  },
  {
    name: 'whoever leaves a group and joins it again is not in it',
    file: 'src/scim/members.ts',
    from: 'remove.delete(member.id);\n        add.set(',
    to: 'if (!remove.has(member.id)) add.set(',
    tests: ['src/scim/members.test.ts'],
  },
  {
    name: 'a change goes through whatever version If-Match names',
    file: 'src/http/provisioning/preconditions.ts',
    from: 'if (ifMatch === null || namesRevision(ifMatch, version)) return;',
    to: 'if (ifMatch === null || ifMatch.length > 0) return;',
    tests: ['test/http/provisioning/users-changes.test.ts'],
  },
  {
    name: 'a bulk request goes on after as many failures as it allows',
    file: 'src/scim/bulk.ts',
    from: 'failed.size >= request.failOnErrors',
    to: 'failed.size > request.failOnErrors',
    tests: ['src/scim/bulk.test.ts'],
  },
  {
    name: 'the guard lets one user more be suspended than it allows',
    file: 'src/store/provisioning/user-guard.ts',
    from: 'if (usersIn(counts) >= limit)',
    to: 'if (usersIn(counts) > limit)',
    tests: ['test/http/provisioning/user-guard.test.ts'],
  },
  {
    name: 'a provisioning token changes what an admin signs in by',
    file: 'src/store/access/admin-rules.ts',
    from: "if (!rights.mayChangeAdmins) return 'refused';",
    to: "if (!rights.mayChangeAdmins) return 'free';",
    tests: ['test/http/provisioning/admin-protection.test.ts'],
  },
  // Webhooks
  {
    name: 'a receiver that checks signatures takes no message',
    file: 'src/domain/webhooks/webhook.ts',
    from: '{id}.$',
    to: '{id}:$',
    tests: ['test/http/operations/webhooks.test.ts'],
  },
  // Survey pages
  {
    name: 'a survey page runs scripts that stand in it',
    file: 'src/http/pages/page-policy.ts',
    from: '"script-src \'self\'",',
    to: "\"script-src 'self' 'unsafe-inline'\",",
    tests: ['test/http/pages/survey-pages.test.ts'],
  },
  {
    name: 'a required question may be left out',
    file: 'src/domain/feedback/answers.ts',
    from: 'if (isDoubtful?.[question.index] === true) continue;',
    to: 'if (isDoubtful?.[question.index] !== false) continue;',
    tests: ['test/http/feedback/ingestion-errors.test.ts'],
  },
  {
    name: 'an invitation is answered twice',
    file: 'src/http/pages/page-tokens.ts',
    from: 'const named = { responseId: invitationId,',
    to: 'const named = { responseId: this.#context.newId(),',
    tests: ['test/http/pages/survey-pages.test.ts'],
  },
  // Throttle, errors, log
  {
    name: 'one request more than the limit is let in',
    file: 'src/acts/access/throttle.ts',
    from: 'const isAllowed = bucket.tokens >= 1;',
    to: 'const isAllowed = bucket.tokens > -1;',
    tests: ['src/acts/access/throttle.test.ts'],
  },
  {
    name: 'the header Retry-After is gone',
    file: 'src/http/server/errors.ts',
    from: "serviceUnavailable: { 'retry-after': '30' },",
    to: '',
    tests: ['test/http/server/errors.test.ts'],
  },
  {
    name: 'of several faults only the first is named',
    file: 'src/http/server/errors.ts',
    from: "return [message, ...sentences].join(' ');",
    to: "return [message, ...sentences.slice(0, 1)].join(' ');",
    tests: ['test/http/provisioning/scim-users.test.ts'],
  },
  {
    name: 'the log has the address of a request, with what stands in it',
    file: 'src/http/server/request-log.ts',
    from: "route: factsOf(request)?.path ?? 'none',",
    to: 'route: request.url,',
    tests: ['test/http/console/secrets.test.ts'],
  },
  // Audit, erasure, retention
  {
    name: 'an erasure is not in the audit log',
    file: 'src/store/erasure/erase.ts',
    from: 'yield audit;\n  yield* recordChanges',
    to: 'yield* recordChanges',
    tests: ['test/cli/erase.test.ts'],
  },
  {
    name: 'an erased response keeps what was added to it later',
    file: 'src/store/erasure/emptied-rows.ts',
    from: 'delete from response_external where $',
    to: 'delete from response_external where 1 = 0 and $',
    tests: ['test/cli/erase.test.ts'],
  },
  {
    name: 'responses are emptied a day too early',
    file: 'src/domain/feedback/retention.ts',
    from: 'return today - retainDays;',
    to: 'return today - retainDays + 1;',
    tests: ['test/cli/retention.test.ts'],
  },
  // Upgrade, backup
  {
    name: 'clients that changed users before the upgrade may not any more',
    file: 'src/store/engine/migrations/0028-admin-protection.ts',
    from: '`update api_client set may_change_admins = 1 where grants like \'%"w_cx_users"%\'`,\n',
    to: '',
    tests: ['test/store/engine/upgrade-release.test.ts'],
  },
  {
    name: 'a backup that was changed since it was made is accepted',
    file: 'src/store/operations/backup-check.ts',
    from: '|| (await hashOfFile(file)) !== manifest.sha256',
    to: '',
    tests: ['test/store/operations/backup-check.test.ts'],
  },
  // Command line, client library, console
  {
    name: 'erase --dry-run erases',
    file: 'src/cli/data/erase-many.ts',
    from: 'isDryRun: options.dryRun,',
    to: 'isDryRun: false,',
    tests: ['test/cli/erase-many.test.ts'],
  },
  {
    name: 'a command that found some of its ids unknown says that all is well',
    file: 'src/cli/data/erase.ts',
    from: 'const unknownExitCode = 2;',
    to: 'const unknownExitCode = 0;',
    tests: ['test/cli/erase-many.test.ts'],
  },
  {
    name: 'the client sends a change twice whose answer was lost',
    file: 'client/caller.ts',
    from: 'return isSafe;',
    to: 'return isSafe || isLost;',
    tests: ['test/client/client.test.ts'],
  },
  {
    name: 'the page of groups has no button for a new one',
    file: 'console/pages/people/groups.tsx',
    from: `<button type="button" class="primary" onClick={open}>
            {own.newGroup}
          </button>`,
    to: '<></>',
    tests: ['test/browser/console-looks.test.ts'],
    pages: 'groups',
  },
];
