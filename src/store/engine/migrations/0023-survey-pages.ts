import type { Step } from './steps.ts';

// The pages of surveys. A project can be reached under its site key; names under /s/ are unique in the whole store, ids of
// surveys and site keys together. Of the site keys that were there before, one that is the id of a survey stays with the
// survey, and one that several projects have stays with the oldest. One that is longer than the id of a survey can be
// is no such name.
//
// An invitation is kept by nobody until it is revoked: then its id stands here until it would have ended.
export const surveyPages: Step = {
  number: 23,
  name: 'pages of surveys',
  statements: ({ engine, text, integer, clustered }) => {
    const siteKey =
      engine === 'sqlite' ? `json_extract(document, '$.siteKey')` : `cast(document as json) ->> 'siteKey'`;
    return [
      `create table page_name (
        name ${text} not null primary key,
        account_id ${integer} not null,
        project_id ${integer} not null
      )`,
      `create unique index page_name_by_project on page_name (account_id, project_id)`,
      `insert into page_name (name, account_id, project_id)
        select name, account_id, source_key
        from (
          select ${siteKey} as name, account_id, source_key,
            row_number() over (partition by ${siteKey} order by created_at, account_id, source_key) as place
          from source
          where kind = 'project'
        ) as named
        where place = 1 and name <> '' and length(name) <= 128 and name not in (select survey_id from survey_owner)`,
      `create table revoked_invitation (
        account_id ${integer} not null,
        invitation_id ${text} not null,
        revoked_at ${integer} not null,
        ends_at ${integer} not null,
        primary key (account_id, invitation_id)
      )${clustered}`,
      `create index revoked_invitation_by_end on revoked_invitation (account_id, ends_at)`,
    ];
  },
};
