import { findPeople, listPeople } from '#api/users.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { createPersonFinder, type KnownPerson } from '#domain/imports/find-person.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Database, Reader } from '#server/platform/database/database.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { countPeople, selectKnownPeople, selectNames, selectPeople } from './people-store.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'

export async function choosableAmong(db: Reader, ids: readonly UserId[]): Promise<Set<UserId>> {
  const found = new Set<UserId>()
  for (const some of chunkIds(ids)) for (const { id } of await selectNames(db, some, true)) found.add(id)
  return found
}

export async function namesOf(db: Reader, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  const names = new Map<UserId, string>()
  for (const some of chunkIds(ids)) for (const { id, name } of await selectNames(db, some, false)) names.set(id, name)
  return names
}

/** All current and former users with their display names; deactivated users can't be selected. */
export async function knownPeople(db: Reader): Promise<KnownPerson[]> {
  const people = await selectKnownPeople(db)
  return people.map(({ id, name, email_fold: emailFold, disabled_at: disabledAt }) => ({
    id,
    name,
    emailFold,
    isSelectable: disabledAt === null,
  }))
}

/** Used by the user picker: record readers can see user names anyway. */
export const peopleRoutes = ({ database }: { readonly database: Database }): readonly Route[] => [
  route(listPeople, can('records:read'), async ({ actor, query: { search, page, perPage } }) => {
    const folded = foldText((search ?? '').toWellFormed().replaceAll('\0', ''))
    const [people, total] = await Promise.all([
      selectPeople(database, { folded, offset: (page - 1) * perPage, limit: perPage }),
      countPeople(database, folded),
    ])
    const showsEmail = hasPermission(actor, 'users:manage')
    const items = people.map(({ id, name, email }) => ({ id, name, ...(showsEmail && { email }) }))
    return { items, page, perPage, hasMore: page * perPage < total, total }
  }),
  // Requires update permission, because it matches text against user emails.
  route(findPeople, can('records:update'), async ({ body: { texts } }) => {
    const people = await knownPeople(database.read)
    const names = new Map(people.map(({ id, name }) => [id, name]))
    const read = createPersonFinder(people)
    const items = texts.map((text) => {
      const found = read(text)
      const person = found.type === 'one' ? { id: found.id, name: names.get(found.id) ?? '' } : null
      return { person, isAmbiguous: found.type === 'several' }
    })
    return { items }
  }),
]
