import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { useChangeCollection } from '#web/features/schema/collection/collection-queries.ts'
import { type TransitionDraft, type WorkflowInput, workflowInputOf } from './workflow-draft.ts'
import { useQuery } from '@tanstack/react-query'
import { listRoles } from '#api/roles.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useCan } from '#web/data/authorization/use-can.ts'

/** The server replaces the whole workflow at once. */
export function useSaveWorkflow(collection: TypedCollection) {
  const { mutate, isPending, error, reset } = useChangeCollection(collection.name)
  const known: WorkflowInput = collection.workflow
    ? workflowInputOf(collection.workflow)
    : { transitions: [], states: {} }

  const store = (workflow: WorkflowInput | null, onSuccess: () => void) =>
    mutate(
      { workflow },
      {
        onSuccess,
        onError: (fault) => notify.error(t('Couldn’t save the workflow'), { detail: describeError(fault).detail }),
      },
    )

  /** Adds a transition or replaces the one with this id. */
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
