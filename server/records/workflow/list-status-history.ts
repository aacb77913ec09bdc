import type { StatusChange } from '#api/workflows.ts'
import type { Actor } from '#domain/access/actor.ts'
import { optionName } from '#domain/fields/select.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { findTransitions } from '#server/records/changes/transition-log.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { namesOf } from '#server/access/people/people.ts'
import { findVisibleRecord } from './find-visible-record.ts'
import type { RecordRef } from './transition-record.ts'
import { workflowOf } from './transition-problems.ts'

/** Entries of a page. */
const PAGE_SIZE = 20

type History = { readonly items: StatusChange[]; readonly next: string | null }

const EMPTY: History = { items: [], next: null }

/** Story: the transitions a record took, newest first, for a reader of the record and of its status. */
export async function listStatusHistory(
  needs: RecordDeps,
  actor: Actor,
  place: RecordRef,
  before?: string,
): Promise<History> {
  const { collection, record, hidden } = await findVisibleRecord(needs, actor, place)
  if (collection.workflow === undefined) return EMPTY
  const { state } = workflowOf(collection)
  if (hidden.has(state.id)) return EMPTY

  const { read } = needs.database
  const found = await findTransitions(read, { record: record.id, field: state.id, before }, PAGE_SIZE + 1)
  const shown = found.slice(0, PAGE_SIZE)
  const people = await namesOf(read, [...new Set(shown.flatMap(({ userId }) => userId ?? []))])
  const nameOf = (id: OptionId | null) => (id === null ? null : (optionName(state, id) ?? null))
  return {
    items: shown.map(({ userId, from, to, ...entry }) => ({
      ...entry,
      user: userId === null ? null : { id: userId, name: people.get(userId) ?? '' },
      from: nameOf(from),
      to: nameOf(to),
    })),
    next: found.length > PAGE_SIZE ? (shown.at(-1)?.id ?? null) : null,
  }
}
