// What stands where in the help: its groups, the pages of each in the order in which they are read, and what the start page
// offers to do. A page of docs/ that nobody put into a group is found under "Reference".

import { consolePages, type PageName } from '../src/domain/console/page-paths.ts';

export interface HelpPage {
  /** From the root of the project. */
  readonly file: string;
  /** In the navigation; the page itself has its own heading. */
  readonly title: string;
  /** Rows of its tables that begin with a name have an address of their own. */
  readonly hasNamedRows?: boolean;
  readonly pages?: readonly HelpPage[];
}

interface HelpTask {
  readonly words: string;
  /** A page of the help, with or without a heading, or an address of this installation. */
  readonly to: string;
}

export interface HelpGroup {
  readonly title: string;
  readonly pages: readonly HelpPage[];
  readonly about: string;
  readonly tasks: readonly HelpTask[];
  /** What is found here stands behind what is found elsewhere. */
  readonly isForDevelopers?: boolean;
}

const page = (file: string, title: string, more: Partial<HelpPage> = {}): HelpPage => ({
  file: `docs/${file}.md`,
  title,
  ...more,
});

const provider = (file: string, title: string): HelpPage => page(`identity-providers/${file}`, title);

export const helpGroups: readonly HelpGroup[] = [
  {
    title: 'Start',
    about: 'The first hour: sign in, look around with the demo account, learn the few words.',
    pages: [
      page('first-steps', 'The first five minutes'),
      page('install', 'Installing'),
      page('console', 'The console'),
    ],
    tasks: [
      { words: 'See the first five minutes at a terminal', to: '/help/first-steps' },
      { words: 'Install it: a package, one file, an image', to: '/help/install' },
      { words: 'Sign in for the first time', to: '/help/console#the-first-sign-in' },
      { words: 'Look around in the demo account', to: '/help/feedback#the-demo-account' },
      { words: 'Learn what measures, projects and scores are', to: '/help/feedback#the-model' },
      { words: 'See which role may do what', to: '/help/console#roles' },
    ],
  },
  {
    title: 'Feedback',
    about: 'Ask, collect, understand, and hand on what people say.',
    pages: [
      page('surveys', 'Surveys'),
      page('feedback', 'Responses and scores'),
      page('insight', 'Figures'),
      page('client', 'TypeScript client'),
      page('export', 'Export'),
      page('warehouse', 'Warehouse'),
      page('digests', 'Digests'),
      page('webhooks', 'Webhooks'),
    ],
    tasks: [
      { words: 'Write a survey and share it', to: '/help/surveys#sharing' },
      { words: 'Put a survey on your own pages', to: '/help/surveys#on-your-pages' },
      { words: 'Invite people one by one', to: '/help/surveys#invitations' },
      { words: 'Send responses from a program', to: '/help/feedback#sending-responses' },
      { words: 'Use the client for TypeScript', to: '/help/client' },
      { words: 'Understand a score and its interval', to: '/help/insight#one-figure' },
      { words: 'Get the data out', to: '/help/export' },
      { words: 'Erase what somebody said', to: '/help/feedback#erasure' },
    ],
  },
  {
    title: 'People',
    about: 'Who works with it, how they get in, and how they leave.',
    pages: [
      page('identity-providers/README', 'Identity providers', {
        pages: [
          provider('entra-id', 'Entra ID'),
          provider('okta', 'Okta'),
          provider('onelogin', 'OneLogin'),
          provider('jumpcloud', 'JumpCloud'),
          provider('google-workspace', 'Google Workspace'),
          provider('authentik', 'authentik'),
          provider('keycloak', 'Keycloak'),
        ],
      }),
      page('users', 'Users by API'),
      page('scim', 'Provisioning'),
    ],
    tasks: [
      { words: 'Connect an identity provider', to: '/help/identity-providers' },
      {
        words: 'Let people in without an identity provider',
        to: '/help/console#users-without-an-identity-provider',
      },
      { words: 'Find out why somebody is not provisioned', to: '/help/scim#when-something-fails' },
      { words: 'Get in when nobody can sign in', to: '/help/console#the-emergency-door' },
      { words: 'See who did what', to: '/help/operations#audit' },
    ],
  },
  {
    title: 'Operations',
    about: 'Run it, keep it, watch it.',
    pages: [
      page('operations', 'Running it'),
      page('scaling', 'Many machines'),
      page('retention', 'What grows, and its end'),
      page('security', 'Security', { pages: [{ file: 'SECURITY.md', title: 'Reporting a weakness' }] }),
    ],
    tasks: [
      { words: 'Run it as a service of the machine', to: '/help/operations#as-a-service-of-the-machine' },
      { words: 'Back up, restore, and practise it', to: '/help/operations#backups' },
      { words: 'Upgrade, and go back', to: '/help/operations#upgrade-and-roll-back' },
      { words: 'Find out why responses are refused', to: '/help/operations#refused-responses' },
      { words: 'Watch it, and be woken in time', to: '/help/operations#alerts' },
      { words: 'Use several machines', to: '/help/scaling' },
      { words: 'Know who could attack it, and what stops them', to: '/help/security' },
      { words: 'Do what security leaves to you', to: '/help/operations#what-security-leaves-to-you' },
    ],
  },
  {
    title: 'Reference',
    about: 'Everything there is, to look it up.',
    pages: [
      page('settings', 'Settings', { hasNamedRows: true }),
      page('commands', 'Commands'),
      page('errors', 'Error codes', { hasNamedRows: true }),
      page('scim-requirements', 'RFC 7644, point by point'),
    ],
    tasks: [
      { words: 'Every endpoint, to read and to try', to: '/docs' },
      { words: 'Every setting', to: '/help/settings' },
      { words: 'Every command', to: '/help/commands' },
      { words: 'Every error code', to: '/help/errors' },
      { words: 'Files to begin with', to: '/help/examples' },
    ],
  },
  {
    title: 'Inside Soundings',
    about: 'For whoever changes the program, or wants to know why it is so.',
    isForDevelopers: true,
    pages: [
      page('architecture', 'How it is built'),
      page('code-map', 'From the interface to the code'),
      page('endpoints', 'Endpoints'),
      page('decisions', 'Decisions', { hasNamedRows: true }),
      page('performance', 'Performance'),
      { file: 'CONTRIBUTING.md', title: 'Contributing' },
      { file: 'CHANGELOG.md', title: 'Changes' },
    ],
    tasks: [
      { words: 'What changed', to: '/help/changelog' },
      { words: 'How it is built', to: '/help/architecture' },
      { words: 'Why it is as it is', to: '/help/decisions' },
      { words: 'How fast it is', to: '/help/performance' },
    ],
  },
];

/** What speaks of a page of the console; of one that is not named, the console as a whole. */
const namedPlaces: Readonly<Partial<Record<PageName, string>>> = {
  overview: 'console#overview-measures-and-projects',
  measure: 'insight#one-figure',
  project: 'insight#one-figure',
  comments: 'insight#comments',
  responses: 'insight#looking-through-responses',
  response: 'insight#one-response-and-why-it-has-its-scores',
  views: 'console#shared-views',
  surveys: 'console#surveys-sharing-refused-responses',
  'new-survey': 'surveys',
  survey: 'surveys',
  'edit-survey': 'surveys#what-a-survey-says',
  share: 'surveys#sharing',
  refused: 'operations#refused-responses',
  users: 'console#users-groups-api-clients-audit',
  user: 'console#users-with-an-identity-provider',
  groups: 'console#users-groups-api-clients-audit',
  group: 'console#roles',
  providers: 'identity-providers',
  provider: 'identity-providers#signing-in',
  clients: 'operations#api-clients-secrets-and-keys',
  webhooks: 'webhooks',
  audit: 'operations#audit',
  operations: 'operations#health',
  accounts: 'console#operations-accounts-webhooks',
  me: 'console#passkeys',
};

export const consolePlaces: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(consolePages) as PageName[]).map((name) => [name, namedPlaces[name] ?? 'console']),
);

/** Files that pages link to: each is shown on a page of its own. */
export const exampleFiles: readonly { readonly file: string; readonly about: string }[] = [
  { file: 'examples/demo.yaml', about: 'The catalogue of the demo account: measures, projects, surveys.' },
  { file: 'examples/catalogue.schema.json', about: 'The JSON schema of a catalogue, for editors.' },
  { file: 'deploy/soundings.service', about: 'A unit for systemd.' },
  { file: 'compose.yaml', about: 'Two replicas with PostgreSQL and HAProxy, in containers.' },
  { file: 'deploy/haproxy.cfg', about: 'The proxy of compose.yaml.' },
  { file: 'examples/prometheus-alerts.yaml', about: 'Alerts for Prometheus.' },
  { file: 'examples/grafana-dashboard.json', about: 'A dashboard for Grafana.' },
];

/** Where a file of the project is in the help. */
export function helpAddress(file: string): string {
  if (file === 'README.md') return '/help';
  // docs/security.md has the name already.
  if (file === 'SECURITY.md') return '/help/security/report';
  const name = file.replace(/^docs\//, '').replace(/(?:(^|\/)README)?\.md$/, '');
  return `/help/${file.includes('/') ? name : name.toLowerCase()}`;
}
