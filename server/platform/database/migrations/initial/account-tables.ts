import type { DialectTypes } from '#server/platform/database/database.ts'

/** Users, sessions, roles and logs. Secrets that are only compared are hashed; all others are encrypted. */
export const accountTables = (types: DialectTypes): readonly string[] => [
  ...userTables(types),
  ...signInTables(types),
  ...tokenTables(types),
  ...logTables(types),
]

const userTables = ({ text, integer }: DialectTypes): readonly string[] => [
  `create table users (
    id ${text} primary key not null,
    email ${text} not null,
    email_fold ${text} not null unique,
    name ${text} not null,
    password_hash ${text} not null,
    created_at ${text} not null,
    disabled_at ${text},
    invited_at ${text},
    password_is_short ${integer} not null default 0,
    name_fold ${text} not null default '',
    profile ${text} not null default '{}',
    language ${text}
  )`,
  `create table sessions (
    id ${text} primary key not null,
    user_id ${text} not null references users (id) on delete cascade,
    kind ${text} not null check (kind in ('browser', 'api')),
    counter ${integer} not null,
    refresh_salt ${text} not null,
    rotated_at ${text} not null,
    successor_seen ${integer} not null,
    created_at ${text} not null,
    used_at ${text} not null,
    ends_at ${text} not null,
    ended_at ${text},
    end_reason ${text},
    user_agent ${text} not null,
    address ${text} not null,
    proven_at ${text},
    methods ${text} not null default 'password',
    is_remembered ${integer} not null default 1,
    view_as ${text}
  )`,
  'create index sessions_user on sessions (user_id)',
  `create table roles (
    id ${text} primary key not null,
    name ${text} not null,
    name_fold ${text} not null unique,
    about ${text} not null,
    position ${integer} not null,
    version ${integer} not null
  )`,
  `create table policies (
    id ${text} primary key not null,
    name ${text} not null,
    name_fold ${text} not null unique,
    about ${text} not null,
    grants ${text} not null,
    examples ${text} not null,
    version ${integer} not null
  )`,
  `create table role_policies (
    role_id ${text} not null references roles (id) on delete cascade,
    policy_id ${text} not null references policies (id),
    position ${integer} not null,
    primary key (role_id, policy_id)
  )`,
  `create table user_roles (
    user_id ${text} not null references users (id) on delete cascade,
    role_id ${text} not null references roles (id),
    primary key (user_id, role_id)
  )`,
  'create index user_roles_role on user_roles (role_id)',
]

const signInTables = ({ text, integer }: DialectTypes): readonly string[] => [
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

const tokenTables = ({ text, integer }: DialectTypes): readonly string[] => [
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
  // Failed sign-in attempts, keyed by hashes of the client and account.
  `create table failed_tries (
    key_hash ${text} primary key not null,
    about_hash ${text} not null,
    count ${integer} not null,
    last_at ${text} not null
  )`,
  'create index failed_tries_about on failed_tries (about_hash)',
  'create index failed_tries_last on failed_tries (last_at)',
]

const logTables = ({ text, integer }: DialectTypes): readonly string[] => [
  `create table tours (
    user_id ${text} not null references users (id) on delete cascade,
    tour ${text} not null,
    version ${integer} not null,
    state ${text} not null,
    step ${integer} not null,
    at ${text} not null,
    primary key (user_id, tour)
  )`,
  `create table favourites (
    id ${text} primary key not null,
    user_id ${text} not null,
    collection_id ${text} not null,
    view_id ${text},
    record_id ${text},
    position ${integer} not null
  )`,
  'create index favourites_of_user on favourites (user_id, position)',
  `create table mails (
    id ${text} primary key not null,
    recipient ${text} not null,
    subject ${text} not null,
    body ${text} not null,
    created_at ${text} not null,
    state ${text} not null check (state in ('waiting', 'sent', 'failed')),
    failure ${text},
    taken_until ${text}
  )`,
  // Append-only and without foreign keys, because an entry is kept after its user is deleted.
  `create table audit_log (
    id ${text} primary key not null,
    at ${text} not null,
    kind ${text} not null,
    user_id ${text},
    about_id ${text},
    address ${text} not null,
    details ${text} not null,
    collection_id ${text}
  )`,
  'create index audit_log_user on audit_log (user_id, id)',
  'create index audit_log_about on audit_log (about_id, id) where about_id is not null',
  'create index audit_log_kind on audit_log (kind, id)',
  'create index audit_log_collection on audit_log (collection_id, id) where collection_id is not null',
]
