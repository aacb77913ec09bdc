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
  { to: '/account/profile', name: 'Profile', icon: IconUser, holds: ['Your name', 'Your e-mail address'] },
  {
    to: '/account/security',
    name: 'Security',
    icon: IconShieldCheck,
    holds: ['Change password', 'Passkeys', 'Authenticator app', 'Two-factor sign-in', 'Recovery codes'],
  },
  {
    to: '/account/sessions',
    name: 'Sessions',
    icon: IconDevices,
    holds: ['Where you are signed in', 'Sign out other devices'],
  },
  { to: '/settings/tokens', name: 'API tokens', icon: IconKey, holds: ['New API token', 'Scripts and programs'] },
]

/** The pages about the workspace as a whole. */
export const SETTINGS_PLACES: readonly Place[] = [
  {
    to: '/settings/workspace',
    name: 'Workspace',
    icon: IconSettings,
    needs: 'workspace:manage',
    holds: ['Session limits', 'How long sign-ins last', 'Storage and uploads', 'Profile fields', 'Version', 'Sample'],
  },
  {
    to: '/settings/users',
    name: 'People',
    icon: IconUsersGroup,
    needs: 'users:manage',
    holds: ['Invite somebody', 'Users', 'Disable an account'],
  },
  {
    to: '/settings/roles',
    name: 'Roles',
    icon: IconLock,
    needs: 'roles:manage',
    holds: ['Policies', 'Permissions', 'Rights', 'Who may do what'],
  },
  {
    to: '/settings/outbox',
    name: 'Outbox',
    icon: IconMail,
    needs: 'workspace:manage',
    holds: ['Letters sent', 'E-mail'],
  },
  {
    to: '/settings/audit',
    name: 'Audit log',
    icon: IconFileText,
    needs: 'audit:read',
    holds: ['Who did what', 'History of access'],
  },
]

/** Those of these pages that somebody with this scope may open. */
export const placesFor = (places: readonly Place[], scope: readonly string[]): readonly Place[] =>
  places.filter(({ needs }) => needs === undefined || scope.includes(needs))
