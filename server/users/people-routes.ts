import { listPeople } from '#api/people.ts'
import { foldText } from '#domain/shared/fold-text.ts'
import type { Database } from '#server/database/database.ts'
import { can } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { countPeople, selectPeople } from './names-store.ts'

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
]
