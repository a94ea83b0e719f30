import type { Step } from './steps.ts';

// Who may change whoever holds admin (D-810). `may_change_admins` is fixed when a credential is made; of a provisioning
// token it is null where a release of before made it, and is then found from the audit log (store/access/token-marks.ts).
// API clients that could change users before go on as they did.
//
// `role_grant.external_id` is the externalId that the holder of a direct grant of admin had when somebody last said so who may
// change admins; null where they had none. Where the user has another one, a release of before has let it be changed, and the
// grant gives no rights until it is confirmed (D-815).
//
// `admin_refusal` has the suspensions and deletions of admins that were refused and that nobody has settled yet, two of a
// user at most (D-814).
export const adminProtection: Step = {
  number: 28,
  name: 'protection of admins',
  statements: ({ text, integer, clustered }) => [
    `alter table provisioning_token add column may_change_admins ${integer}`,
    `alter table setup_link add column may_change_admins ${integer} not null default 0`,
    `alter table api_client add column may_change_admins ${integer} not null default 0`,
    `update api_client set may_change_admins = 1 where grants like '%"w_cx_users"%'`,
    `alter table role_grant add column external_id ${text}`,
    `update role_grant
    set external_id = account_user.address
    from account_user
    where account_user.account_id = role_grant.account_id and account_user.id = role_grant.holder_id
      and role_grant.holder_kind = 'user' and role_grant.role = 'admin'
      and account_user.address <> cast(account_user.id as text)`,
    `create table admin_refusal (
      account_id ${integer} not null,
      user_id ${integer} not null,
      act ${text} not null,
      actor ${text} not null,
      first_at ${integer} not null,
      last_at ${integer} not null,
      times ${integer} not null,
      primary key (account_id, user_id, act)
    )${clustered}`,
  ],
};
