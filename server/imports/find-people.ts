import { foldText } from '#domain/shared/fold-text.ts'
import { choosablePeople } from '#server/users/people.ts'
import type { Found, TitleFinder } from './find-titles.ts'
import type { ImportNeeds } from './import-needs.ts'

/** Finds people who may be chosen: by a name that only one of them bears, by their e-mail address, or by their id. */
export function personFinder({ database }: Pick<ImportNeeds, 'database'>): TitleFinder {
  return async (names) => {
    if (names.length === 0) return new Map()
    const { byName, byOther } = await choosablePeople(database.read)
    return new Map(
      names.map((name): [string, Found] => {
        const folded = foldText(name.trim())
        const [only, ...others] = byName.get(folded) ?? []
        const id = others.length === 0 ? (only?.id ?? byOther.get(folded)) : byOther.get(folded)
        if (id !== undefined) return [name, { type: 'one', id }]
        return [name, { type: only ? 'several' : 'none' }]
      }),
    )
  }
}
