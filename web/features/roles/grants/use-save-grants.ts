import { useMutation } from '@tanstack/react-query'
import type { GrantInput, PolicyBody, RoleBody } from '#api/roles.ts'
import {
  freeName,
  useChangePolicy,
  useChangeRole,
  useCreatePolicy,
  useDeletePolicy,
} from '#web/features/roles/roles-queries.ts'
import { t } from '#web/i18n/t.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { inputOf } from './grant-draft.ts'

type GrantsInput = {
  /** Undefined if a new policy is created for the role. */
  readonly policy: PolicyBody | undefined
  readonly grants: readonly GrantInput[]
  /** The role that gets a new policy, either because it has none or because the change affects only this role. */
  readonly role: RoleBody | undefined
  /** Whether only this role is changed; other roles keep the existing policy. */
  readonly isAlone: boolean
  readonly done: string
  readonly detail?: string | undefined
}

type Undo = () => Promise<unknown>

/**
 * ID shared by all toasts about roles, so that a newer one replaces the previous one and undo applies to the latest
 * change.
 */
export const ROLES_TOAST = 'roles'

export function useSaveGrants(policies: readonly PolicyBody[], onDone?: () => void) {
  const changePolicy = useChangePolicy()
  const changeRole = useChangeRole()
  const createPolicy = useCreatePolicy()
  const deletePolicy = useDeletePolicy()

  async function inPlace({ policy, grants }: GrantsInput & { readonly policy: PolicyBody }): Promise<Undo> {
    const { id, version } = policy
    const saved = await changePolicy.mutateAsync({ policy: id, body: { grants: [...grants], version } })
    const before = policy.grants.map(inputOf)
    return () => changePolicy.mutateAsync({ policy: id, body: { grants: before, version: saved.version } })
  }

  async function apart({ policy, grants, role }: GrantsInput & { readonly role: RoleBody }): Promise<Undo> {
    const made = await createPolicy.mutateAsync({
      name: freeName(policy ? `${policy.name} (${role.name})` : newPolicyName(role), policies),
      about: policy?.about ?? '',
      // Grants in a new policy need new IDs.
      grants: grants.map((grant) => ({ ...grant, id: undefined })),
    })
    const others = role.policies.filter((id) => id !== policy?.id)
    const body = { policies: [...others, made.id], version: role.version }
    const saved = await changeRole.mutateAsync({ role: role.id, body }).then(undefined, async (fault: Error) => {
      // Deletes the new policy, because no role uses it.
      await deletePolicy.mutateAsync(made)
      return Promise.reject(fault)
    })
    return async () => {
      await changeRole.mutateAsync({ role: role.id, body: { policies: role.policies, version: saved.version } })
      await deletePolicy.mutateAsync(made)
    }
  }

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (request: GrantsInput): Promise<Undo> => {
      const { policy, role, isAlone } = request
      if (policy && !isAlone) return inPlace({ ...request, policy })
      return role ? apart({ ...request, role }) : Promise.reject(new Error('Neither a policy nor a role was named.'))
    },
    onSuccess(undo, { done, detail }) {
      const run = () => void undo().then(undefined, notifyFailure(t('Couldn’t undo')))
      notify.success(done, { id: ROLES_TOAST, ...(detail && { detail }), action: { label: t('Undo'), run } })
      onDone?.()
    },
  })
  return { save: mutate, isPending, error, reset }
}

const newPolicyName = ({ name, policies }: RoleBody): string =>
  policies.length === 0 ? t('Permissions of {name}', { name }) : t('More permissions for {name}', { name })
