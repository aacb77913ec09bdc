import { useMutation, useQueryClient } from '@tanstack/react-query'
import { inviteUser, listOutbox } from '#api/users.ts'
import { call, callUnasked } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { linkInEmail } from '#web/features/users/link-in-email.ts'
import type { UserAttributes } from '#web/features/users/user-access.ts'

/** Who shall come in, and what they may do. */
export type Invitation = {
  readonly people: readonly { readonly email: string; readonly name: string }[]
  readonly roles: readonly string[]
  readonly profile: UserAttributes
  /** Who was invited before somebody was refused: their links are told together with the others'. */
  readonly before: readonly string[]
  readonly onWritten: (email: string) => void
}

/** Somebody who was invited; with the link to pass on where no mail server does it. */
export type Invited = { readonly email: string; readonly link: string | undefined }

/** Writes the invitations, one after the other; those before one that is refused are written. */
export function useInvite() {
  const queryClient = useQueryClient()
  const mayReadLetters = useCan('workspace:manage')
  return useMutation({
    mutationFn: async ({ people, roles, profile, before, onWritten }: Invitation): Promise<readonly Invited[]> => {
      const noted = Object.keys(profile).length > 0 && { profile }
      for (const { email, name } of people) {
        await call(inviteUser, { body: { email, name, roles: [...roles], ...noted } })
        onWritten(email)
      }
      const { items, hasServer } = mayReadLetters ? await callUnasked(listOutbox) : { items: [], hasServer: true }
      return [...before, ...people.map(({ email }) => email)].map((email) => {
        const letter = hasServer ? undefined : items.find(({ to }) => to === email)
        return { email, link: letter && linkInEmail(letter.text) }
      })
    },
    onSettled: () => {
      for (const queryKey of [queryKeys.users, queryKeys.outbox]) void queryClient.invalidateQueries({ queryKey })
    },
  })
}
