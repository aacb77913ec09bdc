import type { LinkProps } from '@tanstack/react-router'
import type { Permission } from '#domain/access/permission.ts'
import type { Icon } from '#web/kit/icons/draw-icon.tsx'
import { IconDevices } from '#web/kit/icons/icon-devices.ts'
import { IconFileText } from '#web/kit/icons/icon-file-text.ts'
import { IconKey } from '#web/kit/icons/icon-key.ts'
import { IconLock } from '#web/kit/icons/icon-lock.ts'
import { IconMail } from '#web/kit/icons/icon-mail.ts'
import { IconSettings } from '#web/kit/icons/icon-settings.ts'
import { IconShieldCheck } from '#web/kit/icons/icon-shield-check.ts'
import { IconUser } from '#web/kit/icons/icon-user.ts'
import { IconUsersGroup } from '#web/kit/icons/icon-users-group.ts'
import { t } from '#web/language/t.ts'

/** A page with a name of its own, which does not hang on a collection. */
export type Place = {
  readonly to: NonNullable<LinkProps['to']>
  readonly name: string
  readonly icon: Icon
  /** The permission without which it is not offered. */
  readonly needs?: Permission
  /** What one may look for and finds there, in the words of people. */
  readonly holds: readonly string[]
}

/** The pages of one's own account. */
export const ACCOUNT_PLACES: readonly Place[] = [
  { to: '/account/profile', name: t('Profile'), icon: IconUser, holds: [t('Your name'), t('Your e-mail address')] },
  {
    to: '/account/security',
    name: t('Security'),
    icon: IconShieldCheck,
    holds: [t('Change password'), t('Passkeys'), t('Authenticator app'), t('Two-factor sign-in'), t('Recovery codes')],
  },
  {
    to: '/account/sessions',
    name: t('Sessions'),
    icon: IconDevices,
    holds: [t('Where you are signed in'), t('Sign out other devices')],
  },
  {
    to: '/settings/tokens',
    name: t('API tokens'),
    icon: IconKey,
    holds: [t('New API token'), t('Scripts and programs')],
  },
]

/** The pages about the workspace as a whole. */
export const SETTINGS_PLACES: readonly Place[] = [
  {
    to: '/settings/workspace',
    name: t('Workspace'),
    icon: IconSettings,
    needs: 'workspace:manage',
    holds: [
      t('Session limits'),
      t('How long sign-ins last'),
      t('Storage and uploads'),
      t('Profile fields'),
      t('Version'),
      t('Sample'),
    ],
  },
  {
    to: '/settings/users',
    name: t('People'),
    icon: IconUsersGroup,
    needs: 'users:manage',
    holds: [t('Invite somebody'), t('Users'), t('Disable an account')],
  },
  {
    to: '/settings/roles',
    name: t('Roles'),
    icon: IconLock,
    needs: 'roles:manage',
    holds: [t('Policies'), t('Permissions'), t('Rights'), t('Who may do what')],
  },
  {
    to: '/settings/outbox',
    name: t('Outbox'),
    icon: IconMail,
    needs: 'workspace:manage',
    holds: [t('Letters sent'), t('E-mail')],
  },
  {
    to: '/settings/audit',
    name: t('Audit log'),
    icon: IconFileText,
    needs: 'audit:read',
    holds: [t('Who did what'), t('History of access')],
  },
]

/** Those of these pages that somebody with this scope may open. */
export const placesFor = (places: readonly Place[], scope: readonly string[]): readonly Place[] =>
  places.filter(({ needs }) => needs === undefined || scope.includes(needs))
