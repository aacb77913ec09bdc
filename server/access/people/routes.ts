import { findPeople, listPeople } from '#api/people.ts'
import { createPersonReader } from '#domain/imports/find-person.ts'
import { foldText } from '#domain/shared/fold-text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { countPeople, selectPeople } from './people-store.ts'
import { knownPeople } from './people.ts'

/** The door for choosing people: whoever reads records somewhere meets their names there anyway. */
export const peopleRoutes = ({ database }: { readonly database: Database }): readonly Route[] => [
  route(listPeople, can('records:read'), async ({ query: { search, page, perPage } }) => {
    const folded = foldText((search ?? '').toWellFormed().replaceAll('\0', ''))
    const [items, total] = await Promise.all([
      selectPeople(database, { folded, offset: (page - 1) * perPage, limit: perPage }),
      countPeople(database, folded),
    ])
    return { items, page, perPage, hasMore: page * perPage < total, total }
  }),
  // Emails are compared, so only for people who may write them into records.
  route(findPeople, can('records:update'), async ({ body: { texts } }) => {
    const people = await knownPeople(database.read)
    const names = new Map(people.map(({ id, name }) => [id, name]))
    const read = createPersonReader(people)
    const items = texts.map((text) => {
      const found = read(text)
      const person = found.type === 'one' ? { id: found.id, name: names.get(found.id) ?? '' } : null
      return { person, isAmbiguous: found.type === 'several' }
    })
    return { items }
  }),
]
