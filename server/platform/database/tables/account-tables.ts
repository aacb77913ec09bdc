import type { Generated } from 'kysely'

/**
 * In both databases, system tables store timestamps as ISO 8601 text in UTC with ms, because timestamps are only stored
 * and read.
 */
export type IsoInstant = string

export type JsonText = string

type UserTable = {
  id: string
  email: string
  email_fold: string
  name: string
  name_fold: string
  profile: Generated<JsonText>
  password_hash: string
  /** 1 if the password is too short without a second factor. */
  password_is_short: Generated<number>
  created_at: IsoInstant
  disabled_at: IsoInstant | null
  /** Null after the invitation is accepted, and for users who were never invited. */
  invited_at: IsoInstant | null
  language: string | null
}

type RoleTable = {
  id: string
  name: string
  name_fold: string
  about: string
  position: number
  version: number
}

type PolicyTable = {
  id: string
  name: string
  name_fold: string
  about: string
  grants: JsonText
  examples: JsonText
  version: number
}

type SessionTable = {
  id: string
  user_id: string
  kind: string
  /** Number of refresh token rotations; part of the current refresh token. */
  counter: number
  /**
   * Random, base64url. Together with a key from the key ring, it derives the MAC key for this session's refresh tokens.
   */
  refresh_salt: string
  /** Time of the last rotation; a duplicate request within 10 s gets the same successor token. */
  rotated_at: IsoInstant
  /** Whether the current refresh token, or an access token issued with it, was ever used. */
  successor_seen: number
  created_at: IsoInstant
  used_at: IsoInstant
  /** Absolute expiry; a shorter session policy takes precedence. */
  ends_at: IsoInstant
  ended_at: IsoInstant | null
  end_reason: string | null
  user_agent: string
  address: string
  /** Time of the last re-authentication; null if there was none since sign-in. */
  proven_at: IsoInstant | null
  /** Comma-separated list of `password`, `totp`, `passkey`, `recovery-code` and `provider`. */
  methods: string
  /** 0 if the session ends when the browser is closed; it then also expires sooner. */
  is_remembered: Generated<number>
  view_as: Generated<string | null>
}

type TotpSecretTable = {
  user_id: string
  secret: string
  confirmed_at: IsoInstant | null
  /** The time step of the last accepted code, so that no code can be used twice. */
  last_step: number | null
}

type RecoveryCodeTable = { user_id: string; hash: string; used_at: IsoInstant | null }

type PasskeyTable = {
  id: string
  user_id: string
  credential_id: string
  public_key: string
  counter: number
  transports: JsonText
  name: string
  created_at: IsoInstant
  used_at: IsoInstant | null
}

type ChallengeTable = {
  id: string
  kind: string
  user_id: string | null
  session_id: string | null
  data: JsonText
  tries: number
  expires_at: IsoInstant
}

type SingleUseCodeTable = {
  hash: string
  purpose: string
  user_id: string
  created_at: IsoInstant
  expires_at: IsoInstant
  used_at: IsoInstant | null
}

type ProviderIdentityTable = {
  issuer: string
  subject: string
  user_id: string
  provider: string
  created_at: IsoInstant
}

type ApiTokenTable = {
  id: string
  user_id: string
  hash: string
  name: string
  scopes: JsonText
  created_at: IsoInstant
  used_at: IsoInstant | null
  expires_at: IsoInstant | null
  revoked_at: IsoInstant | null
}

type MailTable = {
  id: string
  recipient: string
  subject: string
  body: string
  created_at: IsoInstant
  state: string
  failure: string | null
  /** When the sending process's claim expires. */
  taken_until: Generated<IsoInstant | null>
}

type AuditTable = {
  id: string
  at: IsoInstant
  kind: string
  user_id: string | null
  about_id: string | null
  collection_id: Generated<string | null>
  address: string
  details: JsonText
}

type FailedAttemptTable = {
  key_hash: string
  about_hash: string
  count: number
  last_at: IsoInstant
}

export type AccountTables = {
  users: UserTable
  roles: RoleTable
  policies: PolicyTable
  role_policies: { role_id: string; policy_id: string; position: number }
  user_roles: { user_id: string; role_id: string }
  sessions: SessionTable
  totp_secrets: TotpSecretTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  challenges: ChallengeTable
  single_use_codes: SingleUseCodeTable
  provider_identities: ProviderIdentityTable
  api_tokens: ApiTokenTable
  mails: MailTable
  audit_log: AuditTable
  failed_tries: FailedAttemptTable
}
