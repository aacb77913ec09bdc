import { grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import type { Grant } from '#domain/access/grant.ts'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import { HIDDEN_STATUS } from './generated-records.ts'

/** Grants of the restricted editor: a row filter and a hidden field. */
export function restrictedGrants(collections: readonly Collection[]): readonly Grant[] {
  const items = collections.find(({ name }) => name === 'items')
  const hidden = items && fieldByName(items, 'remark')
  if (!items || !hidden) throw new Error('The collection that is measured is not there.')
  const elsewhere = collections.filter(({ id }) => id !== items.id)
  const where = { field: 'status', op: '!=', value: HIDDEN_STATUS } as const
  const fields = { except: [hidden.id] }
  return grantsOfBuiltIn('editor').flatMap(({ permission }): Grant[] => [
    ...elsewhere.map(({ id }) => ({ permission, collection: id })),
    { permission, collection: items.id, where, fields },
  ])
}
