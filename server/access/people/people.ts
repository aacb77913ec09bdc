import type { KnownPerson } from '#domain/imports/find-person.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/chunk-ids.ts'
import { selectKnownPeople, selectNames } from './people-store.ts'

/** Which of these people may be chosen in a record: those of the workspace who are not disabled. */
export async function choosableAmong(db: Reader, ids: readonly UserId[]): Promise<Set<UserId>> {
  const found = new Set<UserId>()
  for (const some of chunkIds(ids)) for (const { id } of await selectNames(db, some, true)) found.add(id)
  return found
}

/** The names of these people, also of those who left. */
export async function namesOf(db: Reader, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  const names = new Map<UserId, string>()
  for (const some of chunkIds(ids)) for (const { id, name } of await selectNames(db, some, false)) names.set(id, name)
  return names
}

/** Everybody there is or was, as texts name them; those who are disabled cannot be chosen. */
export async function knownPeople(db: Reader): Promise<KnownPerson[]> {
  const people = await selectKnownPeople(db)
  return people.map(({ id, name, email_fold: emailFold, disabled_at: disabledAt }) => ({
    id,
    name,
    emailFold,
    isChoosable: disabledAt === null,
  }))
}
