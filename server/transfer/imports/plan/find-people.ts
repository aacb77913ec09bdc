import { createPersonReader } from '#domain/imports/find-person.ts'
import { knownPeople } from '#server/access/people/people.ts'
import type { TitleFinder } from './find-titles.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'

/** Finds people who may be chosen: by id, then by email, then by a display name that one person alone has. */
export function createPersonFinder({ database }: Pick<ImportDeps, 'database'>): TitleFinder {
  return async (names) => {
    if (names.length === 0) return new Map()
    const read = createPersonReader(await knownPeople(database.read))
    return new Map(names.map((name) => [name, read(name)]))
  }
}
