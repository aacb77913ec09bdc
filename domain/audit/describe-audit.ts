import { describeStoredPolicy } from '#domain/sessions/session-policy.ts'
import { describeStoredQuota } from '#domain/uploads/quota.ts'
import type { AuditChange } from './audit-changes.ts'
import type { AuditKind } from './audit-kind.ts'

/** Current name; empty if the object was deleted. */
export type Named = { readonly id: string; readonly name: string }

export type AuditItem = {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly user: Named | null
  readonly about: Named | null
  readonly collection: Named | null
  readonly address: string
  readonly details: { readonly [name: string]: string }
  /** Present only for readers who can see the changed object. */
  readonly changes: readonly AuditChange[]
}

type SentenceParts = { readonly who: string; readonly about: string; readonly name: string; readonly place: string }

const SENTENCES: { readonly [Kind in AuditKind]: (parts: SentenceParts) => string } = {
  'owner-created': ({ who }) => `${who} became an owner`,
  'signed-in': ({ who }) => `${who} signed in`,
  'sign-in-failed': ({ about }) => `Sign-in failed${about === '' ? '' : ` for ${about}`}`,
  'signed-out': ({ who }) => `${who} signed out`,
  'session-ended': ({ who }) => `${who} ended a session`,
  'session-over-limit': ({ who }) => `${who}’s session was ended because the session limit was reached`,
  'workspace-renamed': ({ who }) => `${who} renamed the workspace`,
  'logo-changed': ({ who }) => `${who} changed the workspace logo`,
  'logo-removed': ({ who }) => `${who} removed the workspace logo`,
  'session-policy-changed': ({ who }) => `${who} changed the session policy`,
  'second-factor-policy-changed': ({ who }) => `${who} changed the second-factor requirement`,
  'storage-quota-changed': ({ who }) => `${who} changed the storage limit`,
  'records-removed': ({ who }) => `${who} permanently deleted records`,
  'history-erased': ({ who }) => `${who} erased the history of records`,
  'history-days-changed': ({ who }) => `${who} changed how long changes are kept`,
  'trash-days-changed': ({ who }) => `${who} changed how long deleted records are kept`,
  'time-zone-changed': ({ who }) => `${who} changed the workspace time zone`,
  'refresh-reused': ({ who }) => `${who}’s session was ended because its refresh token was reused`,
  'stepped-up': ({ who }) => `${who} confirmed their identity`,
  'step-up-failed': ({ who }) => `${who} failed to confirm their identity`,
  'password-changed': ({ who }) => `${who} changed their password`,
  'password-reset': ({ who }) => `${who} reset their password by email`,
  'reset-requested': ({ who, about }) => `A password reset was requested for ${about === '' ? who : about}`,
  'factor-added': ({ who }) => `${who} set up a second factor`,
  'factor-removed': ({ who, about }) =>
    about === '' ? `${who} removed a second factor` : `${who} removed ${about}’s second factors`,

  'passkey-renamed': ({ who }) => `${who} renamed a passkey`,
  'recovery-codes-made': ({ who }) => `${who} created new recovery codes`,
  'recovery-code-used': ({ who }) => `${who} used a recovery code`,
  invited: ({ who, about }) => (about === '' ? `${who} invited someone` : `${who} invited ${about}`),
  'invitation-accepted': ({ who }) => `${who} accepted their invitation`,
  'role-changed': ({ who, about }) => `${who} changed ${about}’s roles`,
  'role-created': ({ who, name }) => `${who} created the role ${quoted(name)}`,
  'role-edited': ({ who, name }) => `${who} edited the role ${quoted(name)}`,
  'role-removed': ({ who, name }) => `${who} deleted the role ${quoted(name)}`,
  'policy-created': ({ who, name }) => `${who} created the policy ${quoted(name)}`,
  'policy-edited': ({ who, name }) => `${who} edited the policy ${quoted(name)}`,
  'policy-removed': ({ who, name }) => `${who} deleted the policy ${quoted(name)}`,
  'collection-created': ({ who, name }) => `${who} created the collection ${quoted(name)}`,
  'collection-changed': ({ who, name }) => `${who} changed the collection ${quoted(name)}`,
  'collection-removed': ({ who, name }) => `${who} deleted the collection ${quoted(name)}`,
  'profile-changed': ({ who, about }) => `${who} changed ${about}’s attributes`,
  'profile-fields-changed': ({ who }) => `${who} changed the available user attributes`,
  'user-disabled': ({ who, about }) => `${who} deactivated ${about}`,
  'user-enabled': ({ who, about }) => `${who} reactivated ${about}`,
  'token-made': ({ who }) => `${who} created an API token`,
  'token-changed': ({ who }) => `${who} changed the scopes of an API token`,
  'token-revoked': ({ who }) => `${who} revoked an API token`,
  'provider-linked': ({ who }) => `${who} linked an identity provider`,
  'provider-unlinked': ({ who }) => `${who} unlinked an identity provider`,
  'view-as-begun': ({ who, about }) => `${who} started viewing as ${about}`,
  'view-as-ended': ({ who, about }) => `${who} stopped viewing as ${about}`,
  'sessions-ended': ({ who, about }) => `${who} ended all of ${about}’s sessions`,
  'records-exported': ({ who, place }) => `${who} exported records${place === '' ? '' : ` from ${place}`}`,
  'audit-exported': ({ who }) => `${who} exported the audit log`,
  'keys-rotated': () => 'The server keys were rotated',
  'storage-adopted': () => 'This workspace took ownership of the file storage',
  'storage-purged': () => 'Quarantined files were permanently deleted',
}

const quoted = (name: string): string => (name === '' ? '' : `“${name}”`)

const isKnown = (kind: string): kind is AuditKind => Object.hasOwn(SENTENCES, kind)

/** Unknown event kinds are shown by their identifier. */
export function auditSentence({ kind, user, about, collection, details }: AuditItem): string {
  if (!isKnown(kind)) return kind
  const [who, whom] = [nameOf(user, 'Someone'), nameOf(about, '')]
  return SENTENCES[kind]({ who, about: whom, name: details['name'] ?? '', place: nameOf(collection, '') }).trim()
}

/** Uses the ID of a deleted user, who would otherwise be shown as a guest. */
const nameOf = (named: Named | null, fallback: string): string =>
  named === null ? fallback : named.name === '' ? `“${named.id}”` : named.name

const METHOD_LABELS: { readonly [way: string]: string } = {
  password: 'password',
  totp: 'authenticator app',
  passkey: 'passkey',
  'recovery-code': 'recovery code',
  provider: 'identity provider',
  link: 'link',
}

const describeValue = (value: string) =>
  value.replaceAll(/[\w-]+/g, (word) => (Object.hasOwn(METHOD_LABELS, word) ? METHOD_LABELS[word] : undefined) ?? word)

/** Event kinds whose description contains the object's name. */
const NAME_IN_SENTENCE = /^(?:role|policy|collection)-/

/** Details used only by API clients; not shown to users. */
const INTERNAL_DETAILS = ['session', 'token', 'role', 'policy', 'was', 'is']

const LABELED_DETAILS = new Map<string, (value: string) => string>([
  ['name', (value) => `“${value}”`],
  ['from', (value) => `Before: ${value}`],
  ['to', (value) => `Now: ${value}`],
  ['before', (value) => `Before: ${value}`],
  ['after', (value) => `Now: ${value}`],
  ['files', (value) => `Files: ${value}`],
  ['ended', (value) => `${value} ended`],
  ['most', (value) => `at most ${value}`],
  ['until', (value) => `ends no later than ${value.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC')}`],
])

/** Values stored in a language-neutral form and formatted for each reader. */
const STORED_FORMATS = new Map<string, (value: string) => string>([
  ['session-policy-changed', describeStoredPolicy],
  ['storage-quota-changed', describeStoredQuota],
])

export function auditDetails({ kind, details }: AuditItem): string {
  const describe = STORED_FORMATS.get(kind) ?? ((value: string) => value)
  return Object.entries(details)
    .filter(
      ([name, value]) =>
        value !== '' && !INTERNAL_DETAILS.includes(name) && !(name === 'name' && NAME_IN_SENTENCE.test(kind)),
    )
    .map(([name, value]) => LABELED_DETAILS.get(name)?.(describe(value)) ?? describeValue(value))
    .join(' · ')
}

/** Audit entries that owners should investigate. */
export const isAlarming = ({ kind }: AuditItem): boolean => kind === 'refresh-reused'
