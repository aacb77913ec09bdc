import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { removeFactorsOf } from '#api/second-factors.ts'
import { changeUser, endSessionsOf, resendInvitation, type UserBody } from '#api/users.ts'
import { PASSWORD_MIN_CHARACTERS } from '#domain/sessions/password-rules.ts'
import { call } from '#web/data/api/call.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { startImpersonation } from '#web/data/authorization/impersonation.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { IconDots } from '#web/ui/icons/frame.ts'
import {
  IconList,
  IconLogout,
  IconMailForward,
  IconPencil,
  IconShieldOff,
  IconUserCheck,
  IconUserOff,
} from '#web/ui/icons/later.ts'
import { IconUser } from '#web/ui/icons/start.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { useChangeRights } from './user-access.ts'
import { type ManagedUsers, useUserChange } from './users-queries.ts'

const rightsDialog = lazyModule(() => import('./user-access-dialog.tsx'))

type UserMenuProps = { readonly user: UserBody }
type WithRolesProps = UserMenuProps & Pick<ManagedUsers, 'roles' | 'profileFields'>

/** Additional roles are assigned in the dialog. */
const MAX_ROLES_IN_MENU = 6

const setDeactivated = ({ id }: UserBody, isDisabled: boolean) =>
  call(changeUser, { params: { user: id }, body: { isDisabled } })

export function UserMenu({ user, roles, profileFields }: WithRolesProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [isGiving, setIsGiving] = useState(false)
  const { UserAccessDialog } = useLazyModule(rightsDialog, isGiving) ?? {}
  // Accounts with more permissions can't be changed; the server enforces this.
  const isWithinOwn = user.roles.every(({ id }) => roles.some((role) => role.id === id && role.mayGive))
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon aria-label={t('Actions for {name}', { name: user.name })}>
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {user.isInvited && <InviteAgainItem user={user} />}
        {user.isInvited && <Menu.Divider />}
        {roles.length <= MAX_ROLES_IN_MENU && (
          <>
            <Menu.Label>{t('Role')}</Menu.Label>
            <RoleMenuItems user={user} roles={roles} />
          </>
        )}
        {isWithinOwn && (
          <MenuItem
            icon={IconPencil}
            label={profileFields.length > 0 ? t('Roles and attributes') : t('Several roles')}
            onClick={() => setIsGiving(true)}
          />
        )}
        <Menu.Divider />
        <ViewAsItem user={user} />
        <HistoryItem user={user} />
        {isWithinOwn && <SignOutItem user={user} />}
        {user.hasSecondFactor && isWithinOwn && (
          <MenuItem icon={IconShieldOff} label={t('Remove second factors')} onClick={() => setIsAsking(true)} />
        )}
        <DeactivateItem user={user} />
      </Menu.Dropdown>
      <RemoveFactors user={user} isAsking={isAsking} onClose={() => setIsAsking(false)} />
      {isGiving && UserAccessDialog && (
        <UserAccessDialog user={user} roles={roles} profileFields={profileFields} onClose={() => setIsGiving(false)} />
      )}
    </Menu>
  )
}

function RoleMenuItems({ user, roles }: Pick<WithRolesProps, 'user' | 'roles'>) {
  const { mutate } = useChangeRights({ saysFailure: true })
  const [only, ...others] = user.roles
  const chosen = only && others.length === 0 ? only.id : ''
  function choose(wanted: string) {
    if (wanted !== chosen) mutate({ user, changes: { roles: [wanted] } })
  }
  return (
    <Menu.RadioGroup value={chosen} onChange={choose}>
      {roles.map(({ id, name, about, mayGive }) => (
        <Menu.RadioItem key={id} value={id} disabled={!mayGive}>
          {name}
          <span className="user-menu-about">{about}</span>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

function InviteAgainItem({ user }: UserMenuProps) {
  const again = useUserChange({
    run: ({ user: { id } }) => call(resendInvitation, { params: { user: id } }),
    onDone: (_, { user: { email } }) => notify.success(t('New invitation for {email} created.', { email })),
  })
  return <MenuItem icon={IconMailForward} label={t('Resend invitation')} onClick={() => again.mutate({ user })} />
}

function ViewAsItem({ user: { id, isDisabled, isInvited } }: UserMenuProps) {
  const mayLook = useCan('roles:manage')
  if (!mayLook || isDisabled || isInvited) return null
  return <MenuItem icon={IconUser} label={t('View as this user')} onClick={() => startImpersonation(id)} />
}

function HistoryItem({ user: { id } }: UserMenuProps) {
  const mayRead = useCan('audit:read')
  const navigate = useNavigate()
  if (!mayRead) return null
  return (
    <MenuItem
      icon={IconList}
      label={t('Activity')}
      onClick={() => void navigate({ to: '/settings/audit', search: { person: id } })}
    />
  )
}

/** For lost devices: ends all their sessions. */
function SignOutItem({ user }: UserMenuProps) {
  const signOut = useUserChange({
    run: ({ user: { id } }) => call(endSessionsOf, { params: { user: id } }),
    onDone: ({ ended }, { user: { name } }) =>
      notify.success(
        ended === 0 ? t('{name} has no active sessions.', { name }) : t('Signed {name} out everywhere.', { name }),
        {
          detail: t('Their API tokens stay active.'),
        },
      ),
  })
  if (user.lastSeenAt === null || user.isDisabled) return null
  return <MenuItem icon={IconLogout} label={t('Sign out everywhere')} onClick={() => signOut.mutate({ user })} />
}

type RemoveFactorsProps = UserMenuProps & { readonly isAsking: boolean; readonly onClose: () => void }

/** For users who lost their phone and recovery codes. */
function RemoveFactors({ user, isAsking, onClose }: RemoveFactorsProps) {
  const remove = useUserChange({
    run: ({ user: { id } }) => call(removeFactorsOf, { params: { user: id } }),
    onDone(_, { user: { name } }) {
      onClose()
      notify.success(t('{name}’s second factors removed.', { name }), {
        detail: t('They’ll get an email explaining how to sign in.'),
      })
    },
  })
  return (
    <ConfirmDialog
      isOpen={isAsking}
      onClose={onClose}
      title={t('Remove {name}’s second factors', { name: user.name })}
      actionLabel={t('Remove second factors')}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ user })}
    >
      {t(
        'Only continue if you have verified that {name} asked for this. Their authenticator app, passkeys and recovery codes stop working, and they are signed out everywhere. They can then sign in with only their password; if it has fewer than {passwordMinCharacters} characters, they must reset it by email. We’ll notify them by email.',
        { name: user.name, passwordMinCharacters: PASSWORD_MIN_CHARACTERS },
      )}
    </ConfirmDialog>
  )
}

function DeactivateItem({ user }: UserMenuProps) {
  const enable = useUserChange({
    run: ({ user: who }) => setDeactivated(who, false),
    onDone: (_, { user: { name } }) => notify.success(t('{name} can sign in again.', { name })),
  })
  const disable = useUserChange({
    run: ({ user: who }) => setDeactivated(who, true),
    onDone: (_, { user: who }) =>
      notify.success(t('{name} deactivated.', { name: who.name }), {
        detail: t('Their sessions and tokens no longer work.'),
        action: { label: t('Undo'), run: () => enable.mutate({ user: who }) },
      }),
  })
  if (user.isDisabled) {
    return <MenuItem icon={IconUserCheck} label={t('Reactivate')} onClick={() => enable.mutate({ user })} />
  }
  return (
    <MenuItem
      icon={IconUserOff}
      label={user.isInvited ? t('Revoke invitation') : t('Deactivate')}
      color="danger"
      onClick={() => disable.mutate({ user })}
    />
  )
}
