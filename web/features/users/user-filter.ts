import type { UserBody } from '#api/users.ts'
import { foldText } from '#domain/shared/fold-text.ts'

/** Which people are looked for. */
export type UserFilter = {
  /** Parts of a name or an address. */
  readonly words: string
  /** One of their roles; null: any. */
  readonly role: string | null
  readonly standing: Standing
}

/** How people stand, as one asks for them. */
export const STANDINGS = {
  anyhow: 'Everybody',
  here: 'Can sign in',
  invited: 'Invited, not here yet',
  'locked-out': 'Locked out',
  'no-factor': 'Without a second factor',
} as const

/** How somebody stands. */
export type Standing = keyof typeof STANDINGS

/** Everybody. */
export const EVERYBODY: UserFilter = { words: '', role: null, standing: 'anyhow' }

/** Whether somebody is looked for: every word stands in their name or their address, in any order. */
export function isLookedFor(user: UserBody, { words, role, standing }: UserFilter): boolean {
  if (role !== null && !user.roles.some(({ id }) => id === role)) return false
  if (!stands(user, standing)) return false
  const known = foldText(`${user.name} ${user.email}`)
  return foldText(words)
    .split(/\s+/)
    .every((word) => known.includes(word))
}

function stands({ isDisabled, isInvited, hasSecondFactor }: UserBody, standing: Standing): boolean {
  switch (standing) {
    case 'anyhow':
      return true
    case 'here':
      return !isDisabled && !isInvited
    case 'invited':
      return isInvited && !isDisabled
    case 'locked-out':
      return isDisabled
    case 'no-factor':
      return !isDisabled && !isInvited && !hasSecondFactor
  }
}
