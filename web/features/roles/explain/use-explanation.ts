import { useQuery } from '@tanstack/react-query'
import { explainRights } from '#api/roles.ts'
import { supportsPart } from '#domain/access/permission.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import type { AccessQuestion } from './access-question.ts'
import { whoOf } from './who-options.ts'

/** Undefined until a user or role is chosen. */
function questionOf({ who, permission, collection, record, field }: AccessQuestion) {
  if (who === null) return undefined
  const place = isPerCollection(permission) ? collection : null
  return {
    ...whoOf(who),
    permission,
    collection: place,
    record: place === null || !permission.startsWith('records:') ? null : (record?.value ?? null),
    field: place === null || !supportsPart(permission, 'fields') ? null : field,
  }
}

export function useExplanation(asked: AccessQuestion) {
  const question = questionOf(asked)
  return useQuery({
    queryKey: [...queryKeys.explanations, question ?? null],
    queryFn: ({ signal }) => call(explainRights, { body: question ?? { permission: asked.permission }, signal }),
    enabled: question !== undefined,
  })
}
