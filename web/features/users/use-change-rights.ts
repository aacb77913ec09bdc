import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeUser, type UserBody } from '#api/users.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { changedRights, type RightsChanges } from './user-access.ts'
import { notifyFailed, useUserChange } from './users-queries.ts'

type RequestedRights = { readonly user: UserBody; readonly changes: RightsChanges }

type RightsChangeOptions = {
  readonly onDone?: () => void
  /** For callers without a form to show errors. */
  readonly saysFailure?: boolean
}

const change = ({ user, changes }: RequestedRights) => call(changeUser, { params: { user: user.id }, body: changes })

const rightsOf = ({ roles, profile }: UserBody) => ({ roles: roles.map(({ id }) => id), profile })

/** Changes a user's access with a notice and undo. */
export function useChangeRights({ onDone, saysFailure = false }: RightsChangeOptions) {
  const queryClient = useQueryClient()
  const undo = useUserChange({
    run: change,
    onDone: ({ name }) => notify.success(t('Previous permissions of {name} restored.', { name })),
  })
  return useMutation({
    mutationFn: change,
    onSuccess(after, { user: before }) {
      void queryClient.invalidateQueries({ queryKey: queryKeys.users })
      const back = changedRights(rightsOf(after), rightsOf(before))
      notify.success(`${after.name}: ${after.roles.map((role) => builtInText(role).name).join(', ')}.`, {
        detail: t('Takes effect with their next action.'),
        ...(back && { action: { label: t('Undo'), run: () => undo.mutate({ user: after, changes: back }) } }),
      })
      onDone?.()
    },
    onError(error) {
      if (saysFailure) notifyFailed(error)
    },
  })
}
