import { useMutation } from '@tanstack/react-query'
import type { GrantInput, PolicyBody, RoleBody } from '#api/roles.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { inputOf } from './grant-draft.ts'
import { useChangePolicy, useChangeRole, useCreatePolicy, useDeletePolicy } from '#web/features/roles/roles-queries.ts'

/** What a policy shall say from now on. */
type GrantsInput = {
  /** The policy that says it; undefined: one is made for the role. */
  readonly policy: PolicyBody | undefined
  readonly grants: readonly GrantInput[]
  /** Whom it is changed for, where it is for one role alone or a policy has to be made. */
  readonly role: RoleBody | undefined
  /** The policy stays as it is for all other roles. */
  readonly isAlone: boolean
  /** Said when it is done. */
  readonly done: string
}

/** The way back. */
type Undo = () => Promise<unknown>

const notifyFailed = (error: unknown): void => {
  if (toCallError(error)?.code !== 'aborted') {
    notify.error(t('Couldn’t undo'), { detail: describeError(error).detail })
  }
}

/** Saves what a policy says, with the way back. */
export function useSaveGrants(policies: readonly PolicyBody[], onDone: () => void) {
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
    const names = policies.map(({ name }) => name)
    const made = await createPolicy.mutateAsync({
      name: freeName(policy ? `${policy.name} (${role.name})` : newPolicyName(role), names),
      about: policy?.about ?? '',
      // Of another policy: its ids are not theirs.
      grants: grants.map((grant) => ({ ...grant, id: undefined })),
    })
    const others = role.policies.filter((id) => id !== policy?.id)
    const body = { policies: [...others, made.id], version: role.version }
    const saved = await changeRole.mutateAsync({ role: role.id, body }).then(undefined, async (fault: Error) => {
      // Nobody has it, and nobody asked for it by itself.
      await deletePolicy.mutateAsync(made)
      return Promise.reject(fault)
    })
    return async () => {
      await changeRole.mutateAsync({ role: role.id, body: { policies: role.policies, version: saved.version } })
      await deletePolicy.mutateAsync(made)
    }
  }

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (wish: GrantsInput): Promise<Undo> => {
      const { policy, role, isAlone } = wish
      if (policy && !isAlone) return inPlace({ ...wish, policy })
      return role ? apart({ ...wish, role }) : Promise.reject(new Error('Neither a policy nor a role was named.'))
    },
    onSuccess(undo, { done }) {
      notify.success(done, { action: { label: t('Undo'), run: () => void undo().then(undefined, notifyFailed) } })
      onDone()
    },
  })
  return { save: mutate, isPending, error, reset }
}

const newPolicyName = ({ name, policies }: RoleBody): string =>
  policies.length === 0 ? t('Permissions of {name}', { name }) : t('More permissions of {name}', { name })

/** A name that no other one has. */
function freeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()))
  let name = wanted
  for (let count = 2; names.has(name.toLowerCase()); count += 1) name = `${wanted} ${count}`
  return name
}
