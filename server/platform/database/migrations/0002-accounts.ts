import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/**
 * Second factors, invitations and resets, identity providers, API tokens, mails, and the audit log. Secrets that are
 * only compared (codes, tokens) stand as hashes; those that are used (authenticator secrets) stand enciphered.
 */
export const accounts: Migration = {
  number: 2,
  name: 'accounts',
  apply: async (transaction, { text, integer }) => {
    const statements = [...factors(text, integer), ...ways(text), ...letters(text)]
    await runStatements(transaction, statements)
  },
}

const factors = (text: string, integer: string): string[] => [
  // When, and by what, the user of a session last proved who they are; sensitive settings ask for it.
  `alter table sessions add column proven_at ${text}`,
  `alter table sessions add column methods ${text} not null default 'password'`,
  // A user who was invited has no password yet.
  `alter table users add column invited_at ${text}`,
  `create table totp_secrets (
    user_id ${text} primary key not null references users (id) on delete cascade,
    secret ${text} not null,
    confirmed_at ${text},
    last_step ${integer}
  )`,
  `create table recovery_codes (
    user_id ${text} not null references users (id) on delete cascade,
    hash ${text} not null,
    used_at ${text},
    primary key (user_id, hash)
  )`,
  `create table passkeys (
    id ${text} primary key not null,
    user_id ${text} not null references users (id) on delete cascade,
    credential_id ${text} not null unique,
    public_key ${text} not null,
    counter ${integer} not null,
    transports ${text} not null,
    name ${text} not null,
    created_at ${text} not null,
    used_at ${text}
  )`,
  'create index passkeys_user on passkeys (user_id)',
  // A question the server asked and waits for the answer to: a second step, a passkey dialog, a provider's callback.
  `create table challenges (
    id ${text} primary key not null,
    kind ${text} not null,
    user_id ${text} references users (id) on delete cascade,
    session_id ${text} references sessions (id) on delete cascade,
    data ${text} not null,
    tries ${integer} not null default 0,
    expires_at ${text} not null
  )`,
  'create index challenges_expiry on challenges (expires_at)',
]

const ways = (text: string): string[] => [
  `create table single_use_codes (
    hash ${text} primary key not null,
    purpose ${text} not null check (purpose in ('invitation', 'reset')),
    user_id ${text} not null references users (id) on delete cascade,
    created_at ${text} not null,
    expires_at ${text} not null,
    used_at ${text}
  )`,
  'create index single_use_codes_user on single_use_codes (user_id)',
  `create table provider_identities (
    issuer ${text} not null,
    subject ${text} not null,
    user_id ${text} not null references users (id) on delete cascade,
    provider ${text} not null,
    created_at ${text} not null,
    primary key (issuer, subject)
  )`,
  `create table api_tokens (
    id ${text} primary key not null,
    user_id ${text} not null references users (id) on delete cascade,
    hash ${text} not null unique,
    name ${text} not null,
    scopes ${text} not null,
    created_at ${text} not null,
    used_at ${text},
    expires_at ${text},
    revoked_at ${text}
  )`,
  'create index api_tokens_user on api_tokens (user_id)',
]

const letters = (text: string): string[] => [
  `create table mails (
    id ${text} primary key not null,
    recipient ${text} not null,
    subject ${text} not null,
    body ${text} not null,
    created_at ${text} not null,
    state ${text} not null check (state in ('waiting', 'sent', 'failed')),
    failure ${text}
  )`,
  // Append only. It refers to nothing: an entry outlives what it speaks of.
  `create table audit_log (
    id ${text} primary key not null,
    at ${text} not null,
    kind ${text} not null,
    user_id ${text},
    about_id ${text},
    address ${text} not null,
    details ${text} not null
  )`,
  'create index audit_log_user on audit_log (user_id)',
]
