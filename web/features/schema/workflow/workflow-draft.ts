import { useQuery } from '@tanstack/react-query'
import { listRoles } from '#api/roles.ts'
import type { WorkflowBody } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { NoteRequirement } from '#domain/workflow/workflow.ts'
import { call } from '#web/data/api/call.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { type CollectionChange, useChangeCollection } from '#web/features/schema/collection/collection-queries.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

type WorkflowInput = NonNullable<CollectionChange['workflow']>

export type TransitionDraft = {
  readonly name: string
  readonly from: string | null
  readonly to: string | null
  readonly roles: readonly string[]
  readonly when: Filter | null
  readonly note: NoteRequirement
}

/** Users who can't manage the collection receive fewer details. */
export type StoredTransition = WorkflowBody['transitions'][number]

export const newTransition = (from: string | null): TransitionDraft => ({
  name: '',
  from,
  to: null,
  roles: [],
  when: null,
  note: 'none',
})

export const transitionDraftOf = ({ name, from, to, roles, when, note }: StoredTransition): TransitionDraft => ({
  name,
  from,
  to,
  roles: roles ?? [],
  when: when ?? null,
  note,
})

const workflowInputOf = ({ transitions, states }: WorkflowBody): WorkflowInput => ({
  transitions: transitions.map((move) => ({
    ...transitionDraftOf(move),
    id: move.id,
    from: move.from,
    to: move.to,
    roles: [...(move.roles ?? [])],
  })),
  states,
})

/** Undefined if there is no status field. */
export const stateFieldOf = ({ fields }: TypedCollection): Field<'state'> | undefined =>
  fields.find((field): field is Field<'state'> => field.kind === 'state')

/** One transition from each status to the next, as a starting point. */
export function firstWorkflow({ options: { choices } }: Field<'state'>): WorkflowInput {
  const transitions = choices.slice(1).flatMap((to, at) => {
    const from = choices[at]
    return from ? [{ name: to.name, from: from.id, to: to.id, roles: [], when: null, note: 'none' as const }] : []
  })
  return { transitions, states: {} }
}

export function describeTransition({ roles, when, note }: TransitionDraft, nameOf: (role: string) => string): string {
  const who = roles.length === 0 ? t('Everyone who can change status') : roles.map(nameOf).join(', ')
  const notes = { none: [], optional: [t('optional comment')], required: [t('required comment')] }[note]
  return [who, ...(when === null ? [] : [t('conditional')]), ...notes].join(' · ')
}

/** The server replaces the whole workflow in one request. */
export function useSaveWorkflow(collection: TypedCollection) {
  const { mutate, isPending, error, reset } = useChangeCollection(collection.name)
  const known: WorkflowInput = collection.workflow
    ? workflowInputOf(collection.workflow)
    : { transitions: [], states: {} }

  const store = (workflow: WorkflowInput | null, onSuccess: () => void) =>
    mutate({ workflow }, { onSuccess, onError: notifyFailure(t('Couldn’t save the workflow')) })

  const putMove = ({ from, to, roles, ...rest }: TransitionDraft, id: string | undefined, onDone: () => void) => {
    if (from === null || to === null) return
    const move = { ...rest, from, to, roles: [...roles] }
    const transitions =
      id === undefined
        ? [...known.transitions, move]
        : known.transitions.map((each) => (each.id === id ? { ...move, id } : each))
    mutate({ workflow: { ...known, transitions } }, { onSuccess: onDone })
  }
  const removeMove = (id: string) => {
    const transitions = known.transitions.filter((each) => each.id !== id)
    const undo = { label: t('Undo'), run: () => store(known, () => undefined) }
    store({ ...known, transitions }, () => notify.success(t('Transition removed'), { action: undo }))
  }
  const putState = (state: string, rules: NonNullable<WorkflowInput['states']>[string], onDone: () => void) =>
    mutate({ workflow: { ...known, states: { ...known.states, [state]: rules } } }, { onSuccess: onDone })

  const turnOn = (workflow: WorkflowInput) => store(workflow, () => notify.success(t('Workflow turned on')))
  const turnOff = () => {
    const undo = { label: t('Undo'), run: () => store(known, () => undefined) }
    store(null, () => notify.success(t('Workflow turned off'), { action: undo }))
  }
  return { putMove, removeMove, putState, turnOn, turnOff, isPending, error, reset }
}

type RoleNames = readonly { readonly id: string; readonly name: string }[]

/** Undefined while loading; empty for users who can't manage roles. */
export function useRoleNames(): RoleNames | undefined {
  const isManaged = useCan('roles:manage')
  const { data, failureCount } = useQuery({
    queryKey: queryKeys.roles,
    queryFn: async ({ signal }) => ({ items: (await call(listRoles, { signal })).items.map(builtInText) }),
    enabled: isManaged,
  })
  return data?.items ?? (isManaged && failureCount === 0 ? undefined : NONE)
}

const NONE: RoleNames = []
