import type { LinkProps } from '@tanstack/react-router'
import type { Permission } from '#domain/access/permission.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import {
  IconDevices,
  IconFileText,
  IconKey,
  IconLock,
  IconMail,
  IconSettings,
  IconShieldCheck,
  IconUser,
  IconUsersGroup,
} from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'

/** A section of a page, identified by `data-tour` attribute or heading ID; without `at`, the top of the page. */
export type PageAnchor = { readonly name: string; readonly at?: string }

export type AppPage = {
  readonly to: NonNullable<LinkProps['to']>
  readonly name: string
  readonly icon: Icon
  readonly deps?: Permission
  /** Sections of the page that search can find. */
  readonly holds: readonly PageAnchor[]
}

export const ACCOUNT_PAGES: readonly AppPage[] = [
  {
    to: '/account/profile',
    name: t('Profile'),
    icon: IconUser,
    holds: [
      { name: t('Your name'), at: 'own-name' },
      { name: t('Your email address'), at: 'own-email' },
    ],
  },
  {
    to: '/account/security',
    name: t('Security'),
    icon: IconShieldCheck,
    holds: [
      { name: t('Change password'), at: 'password' },
      { name: t('Passkeys'), at: 'passkeys' },
      { name: t('Authenticator app'), at: 'totp' },
      { name: t('Two-factor sign-in (2FA, MFA)'), at: 'totp' },
      { name: t('Recovery codes'), at: 'recovery' },
    ],
  },
  {
    to: '/account/sessions',
    name: t('Sessions'),
    icon: IconDevices,
    holds: [
      { name: t('Active sessions'), at: 'sessions' },
      { name: t('Sign out other devices'), at: 'sessions' },
    ],
  },
  {
    to: '/settings/tokens',
    name: t('API tokens'),
    icon: IconKey,
    holds: [
      { name: t('New API token'), at: 'new-token' },
      { name: t('Scripts and integrations'), at: 'new-token' },
    ],
  },
]

export const SETTINGS_PAGES: readonly AppPage[] = [
  {
    to: '/settings/workspace',
    name: t('Workspace'),
    icon: IconSettings,
    deps: 'workspace:manage',
    holds: [
      { name: t('Name and logo'), at: 'branding' },
      { name: t('Session limits'), at: 'session-policy' },
      { name: t('Session duration'), at: 'session-policy' },
      { name: t('Storage and uploads'), at: 'storage' },
      { name: t('User attributes'), at: 'profile-fields' },
      { name: t('Tours'), at: 'tours' },
      { name: t('Version'), at: 'version' },
      { name: t('Sample data'), at: 'sample' },
    ],
  },
  {
    to: '/settings/users',
    name: t('People'),
    icon: IconUsersGroup,
    deps: 'users:manage',
    holds: [
      { name: t('Invite a user'), at: 'invite' },
      { name: t('Users'), at: 'people' },
      { name: t('Deactivate an account'), at: 'people' },
    ],
  },
  {
    to: '/settings/roles',
    name: t('Roles'),
    icon: IconLock,
    deps: 'roles:manage',
    holds: [
      { name: t('Policies'), at: 'policies' },
      { name: t('Permissions'), at: 'roles' },
      { name: t('Access rights'), at: 'roles' },
      { name: t('Access control'), at: 'roles' },
    ],
  },
  {
    to: '/settings/outbox',
    name: t('Outbox'),
    icon: IconMail,
    deps: 'workspace:manage',
    holds: [
      { name: t('Outgoing emails'), at: 'letters' },
      { name: t('Email'), at: 'letters' },
    ],
  },
  {
    to: '/settings/audit',
    name: t('Audit log'),
    icon: IconFileText,
    deps: 'audit:read',
    holds: [
      { name: t('User activity'), at: 'audit-filter' },
      { name: t('Access history'), at: 'audit-filter' },
    ],
  },
]

export const pagesFor = (places: readonly AppPage[], scope: readonly string[]): readonly AppPage[] =>
  places.filter(({ deps }) => deps === undefined || scope.includes(deps))
