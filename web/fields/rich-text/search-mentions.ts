import { listPeople } from '#api/people.ts'
import { searchEverything } from '#api/search.ts'
import { call } from '#web/client/call.ts'
import type { MentionChoice } from '#web/kit/editor/editor-inside.ts'
import { UNTITLED } from '../record-title.ts'

/** As many of each as one looks through. */
const MOST_PEOPLE = 5
const MOST_RECORDS = 3

/** People by their names, and records by their words, as far as whoever writes may see them. */
export async function searchMentions(text: string, signal: AbortSignal): Promise<readonly MentionChoice[]> {
  const [people, records] = await Promise.all([searchPeople(text, signal), searchRecords(text, signal)])
  return [...people, ...records]
}

async function searchPeople(text: string, signal: AbortSignal): Promise<readonly MentionChoice[]> {
  const query = { page: 1, perPage: MOST_PEOPLE, ...(text.trim() !== '' && { search: text.trim() }) }
  const { items } = await call(listPeople, { query, signal })
  return items.map(({ id, name }) => ({ mention: { kind: 'user', id }, name }))
}

async function searchRecords(text: string, signal: AbortSignal): Promise<readonly MentionChoice[]> {
  if (text.trim() === '') return []
  const { groups } = await call(searchEverything, { query: { q: text, limit: MOST_RECORDS }, signal })
  return groups.flatMap(({ collection, items }) =>
    items.map(({ id, title }) => ({
      mention: { kind: 'record', id, collection: collection.id } as const,
      name: title === '' ? UNTITLED : title,
      detail: collection.label,
    })),
  )
}
