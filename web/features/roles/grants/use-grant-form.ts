import { useState } from 'react'
import type { GrantInput, PolicyBody, RoleBody } from '#api/roles.ts'
import { OWNER } from '#domain/access/policy.ts'
import { useUser } from '#web/data/session/use-session.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import {
  draftOf,
  type GrantDraft,
  inputOf,
  isWholeDraft,
  sentenceInputOf,
  withGrant,
  withGrantApart,
} from './grant-draft.ts'
import {
  describePlace,
  EVERY_COLLECTION,
  type GrantPlace,
  type Source,
  type Subject,
} from '#web/features/roles/matrix/matrix.ts'
import { useKnownCollections } from './use-grant-labels.ts'
import { useMutation } from '@tanstack/react-query'
import { notify } from '#web/ui/toast/notify.ts'
import { useChangePolicy, useChangeRole, useCreatePolicy, useDeletePolicy } from '#web/features/roles/roles-queries.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

type GrantsInput = {
  /** Undefined: a policy is created for the role. */
  readonly policy: PolicyBody | undefined
  readonly grants: readonly GrantInput[]
  /** The role, if only it is affected or needs a new policy. */
  readonly role: RoleBody | undefined
  /** Other roles keep the policy. */
  readonly isAlone: boolean
  readonly done: string
}

type Undo = () => Promise<unknown>

function useSaveGrants(policies: readonly PolicyBody[], onDone: () => void) {
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
      // Ids of another policy don't apply.
      grants: grants.map((grant) => ({ ...grant, id: undefined })),
    })
    const others = role.policies.filter((id) => id !== policy?.id)
    const body = { policies: [...others, made.id], version: role.version }
    const saved = await changeRole.mutateAsync({ role: role.id, body }).then(undefined, async (fault: Error) => {
      // Removes the unused policy that was just created.
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
    onSuccess(undo, { done }) {
      const run = () => void undo().then(undefined, notifyFailure(t('Couldn’t undo')))
      notify.success(done, { action: { label: t('Undo'), run } })
      onDone()
    },
  })
  return { save: mutate, isPending, error, reset }
}

const newPolicyName = ({ name, policies }: RoleBody): string =>
  policies.length === 0 ? t('Permissions of {name}', { name }) : t('More permissions of {name}', { name })

function freeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()))
  let name = wanted
  for (let count = 2; names.has(name.toLowerCase()); count += 1) name = `${wanted} ${count}`
  return name
}

export type GrantFormProps = {
  readonly subject: Subject
  readonly place: GrantPlace
  readonly collection: TypedCollection
  /** Undefined: a grant is added. */
  readonly source: Source | undefined
  readonly allPolicies: readonly PolicyBody[]
  readonly onClose: () => void
}

/** The role's own policy; otherwise one is created. */
export const policyFor = ({ role, policies }: Subject): PolicyBody | undefined =>
  role === undefined ? policies[0] : policies.find(({ roles }) => roles.length === 1)

export function useGrantForm(props: GrantFormProps) {
  const { subject, place, collection, source } = props
  const [draft, setDraft] = useState<GrantDraft>(() => draftOf(source?.grant, collection))
  const [isTouched, setTouched] = useState(false)
  const [isConditionWhole, setConditionWhole] = useState(true)
  const [isAlone, setAlone] = useState(false)
  const { isInherited, maySetApart, isHere, setHere } = useScope(props)
  const { grantsOf } = useGrantsToSave(props)
  const { save, isPending, error, reset } = useSaveGrants(props.allPolicies, props.onClose)
  const change = (part: Partial<GrantDraft>) => {
    if (error !== null) reset()
    setTouched(true)
    setDraft((before) => ({ ...before, ...part }))
  }
  const isWhole = isWholeDraft(draft) && (draft.records !== 'some' || isConditionWhole)
  const policy = source?.policy ?? policyFor(subject)
  const others = subject.policies.filter(({ id }) => id !== policy?.id).flatMap(({ grants }) => grants.map(inputOf))
  return {
    draft,
    change,
    /** All grants of the subject, now and after saving. */
    grantsNow: subject.policies.flatMap(({ grants }) => grants.map(inputOf)),
    grantsThen: isTouched && isWhole ? [...others, ...grantsOf(draft, isHere)] : [],
    changeWhere: (where: GrantDraft['where'], isComplete: boolean) => {
      change({ where })
      setConditionWhole(isComplete)
    },
    /** A condition for one collection may not fit all. */
    changeScope: (isForOne: boolean) => {
      setHere(isForOne)
      setDraft(draftOf(source?.grant, collection))
      setTouched(false)
    },
    canSave: isTouched && isWhole && !isPending,
    save: () =>
      save({
        policy,
        grants: grantsOf(draft, isHere),
        role: subject.role,
        isAlone,
        done: t('Saved: {placeWords}', {
          placeWords: describePlace(place, isHere ? collection.label : EVERY_COLLECTION.label),
        }),
      }),
    isPending,
    error,
    isInherited,
    maySetApart,
    isHere,
    isAlone,
    setAlone,
  }
}

/** Whether the change is for one collection or all. Splitting needs access to all collections. */
function useScope({ source, place }: GrantFormProps) {
  const [isForOne, setHere] = useState(true)
  const maySetApart = useUser()?.roles.some(({ id }) => id === OWNER) ?? false
  const isInherited = source?.grant.collection === null && place.collection !== null
  return { isInherited, maySetApart, isHere: !isInherited || (maySetApart && isForOne), setHere }
}

function useGrantsToSave({ subject, place, source }: GrantFormProps) {
  const collections = useKnownCollections()
  const grants = (source?.policy ?? policyFor(subject))?.grants ?? []
  const grantsOf = (draft: GrantDraft, isHere: boolean) => {
    const { collection } = place
    const isApart = isHere && collection !== null && source?.grant.collection === null
    if (!isApart) {
      return withGrant(
        grants,
        source?.grant.id,
        place,
        sentenceInputOf(isHere ? draft : { ...draft, fieldChoice: 'all' }),
      )
    }
    const ids = collections.map(({ id }) => id)
    return withGrantApart(grants, source.grant, { collections: ids, apart: collection, said: sentenceInputOf(draft) })
  }
  return { grantsOf }
}
