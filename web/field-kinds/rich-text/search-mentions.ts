import { listPeople } from '#api/people.ts'
import { searchEverything } from '#api/search.ts'
import { call } from '#web/data/api/call.ts'
import type { FoundMentions } from '#web/ui/editor/embeds/editor-embeds.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'

/** Most people, and most records of each collection. */
const MAX_PEOPLE = 50
const MAX_RECORDS = 20

/** People by their names, and records by their words, as far as the author may see them. */
export async function searchMentions(text: string, signal: AbortSignal): Promise<FoundMentions> {
  const [people, records] = await Promise.all([searchPeople(text, signal), searchRecords(text, signal)])
  return { choices: [...people.choices, ...records.choices], isCut: people.isCut || records.isCut }
}

async function searchPeople(text: string, signal: AbortSignal): Promise<FoundMentions> {
  const query = { page: 1, perPage: MAX_PEOPLE, ...(text.trim() !== '' && { search: text.trim() }) }
  const { items, hasMore } = await call(listPeople, { query, signal })
  return { choices: items.map(({ id, name }) => ({ mention: { kind: 'user', id }, name })), isCut: hasMore }
}

async function searchRecords(text: string, signal: AbortSignal): Promise<FoundMentions> {
  if (text.trim() === '') return { choices: [], isCut: false }
  const found = await call(searchEverything, { query: { q: text, limit: MAX_RECORDS }, signal })
  const choices = found.groups.flatMap(({ collection, items }) =>
    items.map(({ id, title }) => ({
      mention: { kind: 'record', id, collection: collection.id } as const,
      name: title === '' ? UNTITLED : title,
      detail: collection.label,
    })),
  )
  return { choices, isCut: !found.isComplete || found.groups.some(({ hasMore }) => hasMore) }
}
