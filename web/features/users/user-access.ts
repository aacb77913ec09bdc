import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeUser, type UserBody } from '#api/users.ts'
import { sameJson } from '#domain/shared/json.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { t } from '#web/i18n/t.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { useUserChange } from './users-queries.ts'

export type UserAttributes = { readonly [name: string]: string | string[] }

export type Rights = { readonly roles: readonly string[]; readonly profile: UserAttributes }

type RightsChanges = { readonly roles?: string[]; readonly profile?: UserAttributes }

/** Undefined if nothing changed. Sends only changed attributes, because each may require additional permissions. */
export function changedRights(before: Rights, after: Rights): RightsChanges | undefined {
  const isOtherRole = !sameJson(before.roles.toSorted(), after.roles.toSorted())
  const profile = changedAttributes(before.profile, after.profile)
  if (!isOtherRole && Object.keys(profile).length === 0) return undefined
  return {
    ...(isOtherRole && { roles: [...after.roles] }),
    ...(Object.keys(profile).length > 0 && { profile }),
  }
}

function changedAttributes(before: UserAttributes, after: UserAttributes): UserAttributes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !sameJson(attributeText(before, name), attributeText(after, name)))
  return Object.fromEntries(changed.map((name) => [name, attributeText(after, name)]))
}

/** A missing attribute counts as empty. */
export const attributeText = (notes: UserAttributes, name: string): string | string[] => {
  const note = (Object.hasOwn(notes, name) ? notes[name] : undefined) ?? ''
  return typeof note !== 'string' && note.length === 0 ? '' : note
}

/** Returns the link that contains a code; links in notifications contain none. */
export const linkInEmail = (text: string): string | undefined =>
  /^\s*(https?:\/\/\S+[?&]code=[\w-]+\S*)\s*$/m.exec(text)?.[1]

type RequestedRights = { readonly user: UserBody; readonly changes: RightsChanges }

type RightsChangeOptions = {
  readonly onDone?: () => void
  /** Shows failures as toasts, for callers without a form to show them in. */
  readonly saysFailure?: boolean
}

const change = ({ user, changes }: RequestedRights) => call(changeUser, { params: { user: user.id }, body: changes })

const rightsOf = ({ roles, profile }: UserBody) => ({ roles: roles.map(({ id }) => id), profile })

export function useChangeRights({ onDone, saysFailure = false }: RightsChangeOptions) {
  const queryClient = useQueryClient()
  const undo = useUserChange({
    run: change,
    onDone: ({ name }) => notify.success(t('{name}’s previous permissions restored.', { name })),
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
      if (saysFailure) notifyFailure()(error)
    },
  })
}
