import type { Generated } from 'kysely'
import type { IsoInstant, JsonText } from './column-types.ts'

type UserTable = {
  id: string
  email: string
  /** The folded address, unique. */
  email_fold: string
  name: string
  /** The folded name: people are found and sorted by it. */
  name_fold: string
  /** What the workspace notes about them, by name: one text or several under each. */
  profile: Generated<JsonText>
  password_hash: string
  /** 1: long enough only beside a second factor. */
  password_is_short: Generated<number>
  created_at: IsoInstant
  disabled_at: IsoInstant | null
  /** When they were invited; null once they came, and for whoever was never invited. */
  invited_at: IsoInstant | null
  /** In which language they want to be spoken to; null: they chose none. */
  language: string | null
}

type RoleTable = {
  id: string
  name: string
  /** The folded name, unique. */
  name_fold: string
  about: string
  position: number
  version: number
}

type PolicyTable = {
  id: string
  name: string
  /** The folded name, unique. */
  name_fold: string
  about: string
  /** Grants with their ids, as `PolicyGrant`. */
  grants: JsonText
  /** Examples with their ids, as `Example`. */
  examples: JsonText
  version: number
}

type SessionTable = {
  id: string
  user_id: string
  /** `browser` (cookie) or `api` (body). */
  kind: string
  /** How many times the refresh token was rotated; the current token carries this number. */
  counter: number
  /** Random, base64url; with a key of the ring it makes the MAC key of this session's refresh tokens. */
  refresh_salt: string
  /** When the counter last went up; a duplicate within 10 s gets the same successor. */
  rotated_at: IsoInstant
  /** Whether the current token, or an access token made with it, was ever seen. */
  successor_seen: number
  created_at: IsoInstant
  used_at: IsoInstant
  /** The absolute end it was given; the policy of the workspace may put it earlier. */
  ends_at: IsoInstant
  ended_at: IsoInstant | null
  end_reason: string | null
  user_agent: string
  address: string
  /** When the user of the session last proved who they are; null: at its beginning. */
  proven_at: IsoInstant | null
  /** By what they did, comma-separated: `password`, `totp`, `passkey`, `recovery-code`, `provider`. */
  methods: string
  /** 0: the browser forgets it when it is closed, and it ends sooner. */
  is_remembered: Generated<number>
  /** As which user whoever signed in looks at the product; null: as nobody. */
  view_as: Generated<string | null>
}

type TotpSecretTable = {
  user_id: string
  /** Enciphered by the key ring. */
  secret: string
  /** null until a code of it was given. */
  confirmed_at: IsoInstant | null
  /** The time step of the last code that was taken; no code works twice. */
  last_step: number | null
}

type RecoveryCodeTable = { user_id: string; hash: string; used_at: IsoInstant | null }

type PasskeyTable = {
  id: string
  user_id: string
  credential_id: string
  /** base64url. */
  public_key: string
  counter: number
  transports: JsonText
  name: string
  created_at: IsoInstant
  used_at: IsoInstant | null
}

type ChallengeTable = {
  id: string
  /** `second-step`, `passkey-login`, `passkey-registration`, `step-up`, `provider`. */
  kind: string
  user_id: string | null
  session_id: string | null
  data: JsonText
  tries: number
  expires_at: IsoInstant
}

type SingleUseCodeTable = {
  hash: string
  /** `invitation` or `reset`. */
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
  /** `waiting`, `sent`, `failed`. */
  state: string
  failure: string | null
  /** Until when it is left to the process that is sending it. */
  taken_until: Generated<IsoInstant | null>
}

/** Who signed in, failed, changed a password, invited somebody …; append only. */
type AuditTable = {
  id: string
  at: IsoInstant
  kind: string
  user_id: string | null
  about_id: string | null
  /** What it is about, when that is in one collection. */
  collection_id: Generated<string | null>
  address: string
  details: JsonText
}

/** How often something failed in a row: signing in to an account, from an address, … */
type FailedAttemptTable = {
  /** SHA-256, hex, of what is counted. */
  key_hash: string
  /** Shared by everything that is forgiven together. */
  about_hash: string
  count: number
  last_at: IsoInstant
}

/** The tables of people, of how they sign in, and of what is written to them and about them. */
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
