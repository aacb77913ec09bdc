import { useQuery } from '@tanstack/react-query'
import { explainRights } from '#api/roles.ts'
import { OWNER } from '#domain/access/policy.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useUser } from '#web/data/session/use-session.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

/**
 * Whether this record is read-only although the collection is editable. Unknown counts as editable; the server
 * rejects forbidden writes.
 */
export function useIsReadOnly({ id, can }: TypedCollection, record: string): boolean {
  const user = useUser()
  const isOwner = user?.roles.some((role) => role.id === OWNER) ?? false
  const question = { permission: 'records:update', collection: id, record } as const
  const { data } = useQuery({
    queryKey: [...queryKeys.explanations, { ...question, user: user?.id }],
    queryFn: ({ signal }) => call(explainRights, { body: question, signal }),
    enabled: !isOwner && can.includes('records:update'),
    retry: false,
  })
  return data?.may === 'no'
}
