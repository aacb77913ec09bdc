import type { UserStatus } from '#domain/access/user.ts'
import { t } from '#web/i18n/t.ts'

export type UserFilter = {
  /** Parts of name or email. */
  readonly words: string
  readonly role: string | null
  /** Null: any status. */
  readonly standing: UserStatus | null
}

export const STATUS_LABELS: { readonly [Each in UserStatus]: string } = {
  here: t('Active'),
  invited: t('Invited, not joined yet'),
  'locked-out': t('Deactivated'),
  'no-factor': t('Without a second factor'),
}

export const NO_USER_FILTER: UserFilter = { words: '', role: null, standing: null }

export const queryOf = ({ words, role, standing }: UserFilter) => ({
  ...(words.trim() !== '' && { search: words.trim() }),
  ...(role !== null && { role }),
  ...(standing !== null && { standing }),
})
