import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { IconCopy, IconPencil } from '#web/ui/icons/later.ts'
import { IconTrash } from '#web/ui/icons/general.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { rolePath } from './role-paths.ts'
import { inputOf, inputOfExample } from './grants/grant-draft.ts'
import { NameDialog, type Naming } from './name-dialog.tsx'
import {
  useChangePolicy,
  useChangeRole,
  useCreatePolicy,
  useCreateRole,
  useDeletePolicy,
  useDeleteRole,
  useDuplicateRole,
} from './roles-queries.ts'

type RoleMenuProps = { readonly role: RoleBody; readonly policies: readonly PolicyBody[] }

export function RoleMenu({ role, policies: allPolicies }: RoleMenuProps) {
  const [isCopying, setCopying] = useState(false)
  const copy = useDuplicateRole(allPolicies)
  const navigate = useNavigate()
  const change = useChangeRole()
  const remove = useDeleteRole()
  const create = useCreateRole()
  const { name, about, policies } = role
  return (
    <>
      <RoleOrPolicyMenu
        what="role"
        naming={{ name, about }}
        isPending={change.isPending}
        error={change.error}
        onRename={(body, onSuccess) => change.mutate({ role: role.id, body }, { onSuccess })}
        onRemove={(onSuccess, onError) => remove.mutate(role, { onSuccess, onError })}
        onPutBack={(onError) => create.mutate({ name, about, policies }, { onError })}
        onDuplicate={() => setCopying(true)}
      />
      {isCopying && (
        <NameDialog
          title={t('Duplicate role')}
          action={t('Create role')}
          example={name}
          before={{ name: t('{name} copy', { name }), about }}
          isPending={copy.isPending}
          error={copy.error}
          onSave={(naming) =>
            copy.mutate(
              { role, ...naming },
              {
                onSuccess: ({ id }) => {
                  setCopying(false)
                  void navigate({ to: rolePath(id) })
                },
              },
            )
          }
          onClose={() => setCopying(false)}
        />
      )}
    </>
  )
}

export function PolicyMenu({ policy }: { readonly policy: PolicyBody }) {
  const change = useChangePolicy()
  const remove = useDeletePolicy()
  const create = useCreatePolicy()
  const { name, about, grants, examples } = policy
  const again = () => ({
    name,
    about,
    grants: grants.map(inputOf),
    examples: examples.map(inputOfExample),
  })
  return (
    <RoleOrPolicyMenu
      what="policy"
      naming={{ name, about }}
      isPending={change.isPending}
      error={change.error}
      onRename={(body, onSuccess) => change.mutate({ policy: policy.id, body }, { onSuccess })}
      onRemove={(onSuccess, onError) => remove.mutate(policy, { onSuccess, onError })}
      onPutBack={(onError) => create.mutate(again(), { onError })}
    />
  )
}

type OnError = (error: Error) => void

type RoleOrPolicyMenuProps = {
  readonly what: 'role' | 'policy'
  readonly naming: Naming
  readonly isPending: boolean
  readonly error: unknown
  readonly onRename: (naming: Naming, onDone: () => void) => void
  readonly onRemove: (onDone: () => void, onError: OnError) => void
  readonly onPutBack: (onError: OnError) => void
  readonly onDuplicate?: () => void
}

const WORDS = {
  role: {
    more: t('More actions for this role'),
    rename: t('Rename role'),
    removed: (name: string) => t('Role “{name}” deleted', { name }),
    notRemoved: t('Couldn’t delete the role'),
  },
  policy: {
    more: t('More actions for this policy'),
    rename: t('Rename policy'),
    removed: (name: string) => t('Policy “{name}” deleted', { name }),
    notRemoved: t('Couldn’t delete the policy'),
  },
} as const

function RoleOrPolicyMenu(props: RoleOrPolicyMenuProps) {
  const { what, naming, isPending, error, onRename, onRemove, onPutBack, onDuplicate } = props
  const words = WORDS[what]
  const [isNaming, setNaming] = useState(false)
  const navigate = useNavigate()
  const remove = () =>
    onRemove(() => {
      notify.success(words.removed(naming.name), {
        action: { label: t('Undo'), run: () => onPutBack(notifyFailure(t('Couldn’t restore'))) },
      })
      void navigate({ to: '/settings/roles' })
    }, notifyFailure(words.notRemoved))
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon aria-label={words.more}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem icon={IconPencil} label={t('Rename')} onClick={() => setNaming(true)} />
          {onDuplicate && <MenuItem icon={IconCopy} label={t('Duplicate')} onClick={onDuplicate} />}
          <MenuItem icon={IconTrash} label={t('Remove')} color="danger" onClick={remove} />
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          title={words.rename}
          action={t('Save')}
          example={naming.name}
          before={naming}
          isPending={isPending}
          error={error}
          onSave={(next) => onRename(next, () => setNaming(false))}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
