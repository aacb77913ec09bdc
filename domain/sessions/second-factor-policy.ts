import type { RoleId } from '../shared/ids.ts'
import type { SignInMethod } from './session.ts'

/** Who must sign in with a second factor: everyone, or the members of some roles. */
export type SecondFactorPolicy = { readonly everyone: boolean; readonly roles: readonly RoleId[] }

/** What holds until an owner says otherwise. */
export const NO_SECOND_FACTOR_POLICY: SecondFactorPolicy = { everyone: false, roles: [] }

/** Whether somebody with these roles must have a second factor. */
export const requiresSecondFactor = ({ everyone, roles }: SecondFactorPolicy, held: readonly RoleId[]): boolean =>
  everyone || held.some((role) => roles.includes(role))

/** Ways of signing in that prove a second factor. An identity provider asks for one itself, by rules of its own. */
const SECOND_FACTORS: ReadonlySet<string> = new Set<SignInMethod>(['totp', 'passkey', 'recovery-code', 'provider'])

/** Whether a sign-in by these methods included a second factor. */
export const includesSecondFactor = (methods: readonly string[]): boolean =>
  methods.some((method) => SECOND_FACTORS.has(method))

/** A policy as the audit log keeps it, by the names its roles have then. */
export const printSecondFactorPolicy = (
  { everyone, roles }: SecondFactorPolicy,
  nameOf: (role: RoleId) => string | undefined,
): string => (everyone ? 'everyone' : roles.flatMap((role) => nameOf(role) ?? []).join(', ') || 'nobody')
