import type { UserStatus } from '#domain/access/user.ts'
import { t } from '#web/i18n/t.ts'

/** Which people are looked for. */
export type UserFilter = {
  /** Parts of a name or an address. */
  readonly words: string
  /** One of their roles; null: any. */
  readonly role: string | null
  /** null: however they stand. */
  readonly standing: UserStatus | null
}

/** How people stand, as one asks for them. */
export const STATUS_LABELS: { readonly [Each in UserStatus]: string } = {
  here: t('Active'),
  invited: t('Invited, not joined yet'),
  'locked-out': t('Deactivated'),
  'no-factor': t('Without a second factor'),
}

/** Everybody. */
export const NO_USER_FILTER: UserFilter = { words: '', role: null, standing: null }

/** What the server is asked. */
export const queryOf = ({ words, role, standing }: UserFilter) => ({
  ...(words.trim() !== '' && { search: words.trim() }),
  ...(role !== null && { role }),
  ...(standing !== null && { standing }),
})
