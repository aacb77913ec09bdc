import type { QueryClient } from '@tanstack/react-query'
import { listRecords } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import { collectionsQuery } from '#web/client/collections-query.ts'
import type { DropdownOption } from '#web/kit/dropdown/option.tsx'
import type { OptionSearch } from '#web/kit/dropdown/use-option-search.ts'
import { knownCollection } from '../known-field.ts'
import { recordTitle } from '../record-title.ts'

/** As many as one looks through; who seeks another types another word. */
const MOST_FOUND = 50

/** A search over the records of a collection, for choosing one; it finds by every word of every field. */
export const recordSearch =
  (queryClient: QueryClient, collectionId: string): OptionSearch =>
  async (text, signal) => {
    const collections = await queryClient.ensureQueryData(collectionsQuery)
    const body = collections.find(({ id }) => id === collectionId)
    if (!body) return []
    const collection = knownCollection(body)
    const { titleField } = collection
    const { items } = await call(listRecords, {
      params: { collection: collectionId },
      query: {
        perPage: MOST_FOUND,
        count: 'none',
        ...(text.trim() !== '' && { search: text }),
        ...(titleField !== null && { fields: titleField, sort: titleField }),
      },
      signal,
    })
    return items.map((record): DropdownOption => ({ value: record.id, label: recordTitle(collection, record) }))
  }
