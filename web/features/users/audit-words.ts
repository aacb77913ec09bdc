import type { z } from 'zod'
import type { listAudit } from '#api/users.ts'

/** One entry of the audit log, as the server tells it. */
export type AuditItem = z.output<typeof listAudit.answer>['items'][number]

type Told = { readonly who: string; readonly about: string }

/** What happened, one sentence per kind; a kind this page does not know is shown by its name. */
const SENTENCES = new Map<string, (told: Told) => string>([
  ['owner-created', ({ who }) => `${who} became an owner`],
  ['signed-in', ({ who }) => `${who} signed in`],
  ['sign-in-failed', ({ about }) => `A sign-in failed${about === '' ? '' : ` for ${about}`}`],
  ['signed-out', ({ who }) => `${who} signed out`],
  ['session-ended', ({ who }) => `${who} ended a session`],
  ['session-over-limit', ({ who }) => `A session of ${who} was ended: there were too many at once`],
  ['session-policy-changed', ({ who }) => `${who} changed how long sessions last`],
  ['refresh-reused', ({ who }) => `A session of ${who} was ended: its key was used twice`],
  ['stepped-up', ({ who }) => `${who} confirmed who they are`],
  ['step-up-failed', ({ who }) => `${who} failed to confirm who they are`],
  ['password-changed', ({ who }) => `${who} changed their password`],
  ['password-reset', ({ who }) => `${who} chose a new password by letter`],
  ['reset-requested', ({ who, about }) => `A link for a new password was asked for ${about === '' ? who : about}`],
  ['factor-added', ({ who }) => `${who} set up a second factor`],
  [
    'factor-removed',
    ({ who, about }) =>
      about === '' ? `${who} removed a second factor` : `${who} removed the second factors of ${about}`,
  ],
  ['passkey-renamed', ({ who }) => `${who} gave a passkey another name`],
  ['recovery-codes-made', ({ who }) => `${who} made new recovery codes`],
  ['recovery-code-used', ({ who }) => `${who} used a recovery code`],
  ['invited', ({ who, about }) => `${who} invited ${about === '' ? 'somebody' : about}`],
  ['invitation-accepted', ({ who }) => `${who} accepted their invitation`],
  ['role-changed', ({ who, about }) => `${who} changed the role of ${about}`],
  ['role-created', ({ who }) => `${who} made a role`],
  ['role-edited', ({ who }) => `${who} changed a role`],
  ['role-removed', ({ who }) => `${who} removed a role`],
  ['policy-created', ({ who }) => `${who} made a policy`],
  ['policy-edited', ({ who }) => `${who} changed a policy`],
  ['policy-removed', ({ who }) => `${who} removed a policy`],
  ['profile-changed', ({ who, about }) => `${who} changed what is noted about ${about}`],
  ['profile-fields-changed', ({ who }) => `${who} changed what is noted about people`],
  ['user-disabled', ({ who, about }) => `${who} locked ${about} out`],
  ['user-enabled', ({ who, about }) => `${who} let ${about} in again`],
  ['token-made', ({ who }) => `${who} made an API token`],
  ['token-revoked', ({ who }) => `${who} revoked an API token`],
  ['provider-linked', ({ who }) => `${who} linked another sign-in`],
  ['provider-unlinked', ({ who }) => `${who} unlinked another sign-in`],
  ['view-as-begun', ({ who, about }) => `${who} began to look at Dossier as ${about}`],
  ['view-as-ended', ({ who, about }) => `${who} stopped looking at Dossier as ${about}`],
  ['keys-rotated', () => 'The keys of the server were renewed'],
])

/** What happened, in a sentence. */
export function auditSentence({ kind, user, about }: AuditItem): string {
  const told = { who: user?.name ?? 'Somebody', about: about?.name ?? '' }
  return SENTENCES.get(kind)?.(told) ?? kind
}

const WAYS: ReadonlyMap<string, string> = new Map([
  ['password', 'password'],
  ['totp', 'authenticator app'],
  ['passkey', 'passkey'],
  ['recovery-code', 'recovery code'],
  ['provider', 'other sign-in'],
  ['link', 'link'],
])

const inWords = (value: string) => value.replaceAll(/[\w-]+/g, (word) => WAYS.get(word) ?? word)

/** Details that only a program can make something of. */
const NOT_FOR_PEOPLE = ['session', 'token', 'role', 'policy', 'was', 'is']

/** Details that say nothing without their name. */
const NAMED = new Map<string, (value: string) => string>([
  ['name', (value) => `“${value}”`],
  ['before', (value) => `Before: ${value}`],
  ['after', (value) => `Now: ${value}`],
  ['ended', (value) => `${value} ended`],
  ['most', (value) => `at most ${value}`],
])

/** What else is known of an entry, in a few words. */
export function auditDetails({ details }: AuditItem): string {
  return Object.entries(details)
    .filter(([name, value]) => value !== '' && !NOT_FOR_PEOPLE.includes(name))
    .map(([name, value]) => NAMED.get(name)?.(value) ?? inWords(value))
    .join(' · ')
}

/** Entries an owner should look at. */
export const isAlarming = ({ kind }: AuditItem): boolean => kind === 'refresh-reused'
